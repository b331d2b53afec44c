import type { CatalogItem } from '../../marketplace/catalog/index.ts'
import type { IncludedData, Item } from './schema.ts'

/** A product as the interface shows it: one entry for each marketplace in each of the sets that were asked for. */
export function representItem(items: readonly [CatalogItem, ...CatalogItem[]], sets: readonly IncludedData[]): Item {
  const shown: Item = { asin: items[0].asin }
  for (const set of sets) Object.assign(shown, { [set]: representations[set](items) })
  return shown
}

type Represent = (items: readonly CatalogItem[]) => unknown

const ofEach =
  (represent: (item: CatalogItem) => object): Represent =>
  (items) =>
    items.map((item) => ({ marketplaceId: item.marketplaceId, ...represent(item) }))

const representations: Record<IncludedData, Represent> = {
  attributes: mergeAttributes,
  classifications: ofEach(({ browseClassification }) => ({
    classifications: browseClassification ? [nest(browseClassification)] : [],
  })),
  dimensions: ofEach(({ dimensions }) => ({ ...dimensions })),
  identifiers: ofEach(({ identifiers = [] }) => ({
    identifiers: identifiers.map(({ type, value }) => ({ identifierType: type, identifier: value })),
  })),
  images: ofEach(({ images = [] }) => ({ images })),
  productTypes: ofEach(({ productType }) => ({ productType })),
  relationships: ofEach(({ relationships = [] }) => ({ relationships })),
  salesRanks: ofEach(({ salesRanks }) => ({ ...salesRanks })),
  summaries: ofEach(summarize),
  // Only vendors have any, and there are none here.
  vendorDetails: () => [],
}

/** Entries name their marketplace themselves, so those of several marketplaces stand beside each other. */
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

function nest({ classificationId, displayName, ancestors = [] }: Classification): object {
  const [parent, ...above] = ancestors
  return { displayName, classificationId, ...(parent && { parent: nest({ ...parent, ancestors: above }) }) }
}

function summarize(item: CatalogItem): object {
  const { asin, productType, identifiers, images, dimensions, salesRanks, relationships, ...rest } = item
  const { attributes, restrictions, browseClassification, ...summary } = rest
  if (!browseClassification) return summary
  const { displayName, classificationId } = browseClassification
  return { ...summary, browseClassification: { displayName, classificationId } }
}
