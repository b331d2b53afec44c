import type { CatalogItem } from '../../marketplace/catalog/index.ts'
import type { IncludedData, Item } from './schema.ts'

/** Renders an item with one entry per marketplace in each requested data set. */
export function renderItem(items: readonly [CatalogItem, ...CatalogItem[]], sets: readonly IncludedData[]): Item {
  const rendered: Item = { asin: items[0].asin }
  for (const set of sets) Object.assign(rendered, { [set]: renderers[set](items) })
  return rendered
}

type RenderSet = (items: readonly CatalogItem[]) => unknown

const perItem =
  (represent: (item: CatalogItem) => object): RenderSet =>
  (items) =>
    items.map((item) => ({ marketplaceId: item.marketplaceId, ...represent(item) }))

const renderers: Record<IncludedData, RenderSet> = {
  attributes: mergeAttributes,
  classifications: perItem(({ browseClassification }) => ({
    classifications: browseClassification ? [nestClassification(browseClassification)] : [],
  })),
  dimensions: perItem(({ dimensions }) => ({ ...dimensions })),
  identifiers: perItem(({ identifiers = [] }) => ({
    identifiers: identifiers.map(({ type, value }) => ({ identifierType: type, identifier: value })),
  })),
  images: perItem(({ images = [] }) => ({ images })),
  productTypes: perItem(({ productType }) => ({ productType })),
  relationships: perItem(({ relationships = [] }) => ({ relationships })),
  salesRanks: perItem(({ salesRanks }) => ({ ...salesRanks })),
  summaries: perItem(renderSummary),
  // Only vendors have vendor details, and Souk has no vendors.
  vendorDetails: () => [],
}

/** Entries contain their marketplace id, so entries of several marketplaces share a list. */
function mergeAttributes(items: readonly CatalogItem[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {}
  for (const { attributes = {} } of items) {
    for (const [name, value] of Object.entries(attributes)) {
      const before = merged[name]
      merged[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : (before ?? value)
    }
  }
  return merged
}

type Classification = NonNullable<CatalogItem['browseClassification']>

function nestClassification({ classificationId, displayName, ancestors = [] }: Classification): object {
  const [parent, ...above] = ancestors
  return {
    displayName,
    classificationId,
    ...(parent && { parent: nestClassification({ ...parent, ancestors: above }) }),
  }
}

function renderSummary(item: CatalogItem): object {
  const { asin, productType, identifiers, images, dimensions, salesRanks, relationships, ...rest } = item
  const { attributes, restrictions, browseClassification, ...summary } = rest
  if (!browseClassification) return summary
  const { displayName, classificationId } = browseClassification
  return { ...summary, browseClassification: { displayName, classificationId } }
}
