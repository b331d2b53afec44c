import { requireParticipation } from '../../../marketplace/accounts/participation.ts'
import type { ProductType, ProductTypes } from '../../../marketplace/product-types/index.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Reader } from '../../../platform/database/port.ts'
import { inSlices } from '../../../platform/in-slices.ts'
import type { Relation } from '../domain/relations.ts'
import type { IncludedData } from '../schema.ts'
import type { ListingView } from '../store/listing-view.ts'
import { findRelations } from '../store/relation-store.ts'
import { hasIssues, renderItemJson } from './render-item.ts'

export interface RendererDependencies {
  clock: Clock
  productTypes: ProductTypes
}

export interface RenderOptions {
  sellerId: string
  marketplaceIds: readonly string[]
  includedData: readonly IncludedData[]
  /** Locale of issue messages. Default: the locale of the first marketplace. */
  issueLocale?: string | undefined
}

export type ItemRenderer = ReturnType<typeof createItemRenderer>

/** Renders items with what the row does not contain: relations and the messages of issues. */
export function createItemRenderer({ clock, productTypes }: RendererDependencies) {
  const NONE = new Map<never, never>()

  return {
    /** Returns undefined if rendering needs the database. Most items do not. */
    renderSync(sku: string, listings: readonly ListingView[], { includedData }: RenderOptions): string | undefined {
      for (const listing of listings) {
        if (hasIssues(listing) && includedData.includes('issues')) return undefined
        if (listing.has_relations === 1 && includedData.includes('relationships')) return undefined
      }
      return renderItemJson(sku, listings, {
        includedData,
        now: clock.now(),
        locale: '',
        productTypes: NONE,
        relations: NONE,
      })
    },

    /** Returns the JSON of each item, in the order of the SKUs. */
    async render(
      reader: Reader,
      skus: readonly string[],
      listings: readonly ListingView[],
      options: RenderOptions,
    ): Promise<string[]> {
      const { includedData, issueLocale } = options
      const withIssues = includedData.includes('issues') ? listings.filter(hasIssues) : []
      const context = {
        includedData,
        now: clock.now(),
        locale: withIssues.length > 0 ? (issueLocale ?? (await defaultLocale(reader, options))) : '',
        productTypes: withIssues.length > 0 ? await findTypes(reader, withIssues) : NONE,
        relations: includedData.includes('relationships') ? await findAllRelations(reader, listings, options) : NONE,
      }
      const bySku = Map.groupBy(listings, ({ sku }) => sku)
      const texts: string[] = []
      for await (const sku of inSlices(skus)) texts.push(renderItemJson(sku, bySku.get(sku) ?? [], context))
      return texts
    },
  }

  // Issues of a product type that the operator deleted are rendered with the type PRODUCT.
  async function findTypes(reader: Reader, listings: readonly ListingView[]) {
    const found = new Map<string, ProductType>()
    for (const name of new Set(listings.map(({ product_type }) => product_type))) {
      const type = (await productTypes.find(reader, name)) ?? (await productTypes.find(reader, 'PRODUCT'))
      if (type) found.set(name, type)
    }
    return found
  }

  async function defaultLocale(reader: Reader, { sellerId, marketplaceIds }: RenderOptions) {
    const [marketplace] = await requireParticipation(reader, sellerId, marketplaceIds.slice(0, 1))
    return marketplace?.languageCode ?? 'en_US'
  }

  async function findAllRelations(reader: Reader, listings: readonly ListingView[], { sellerId }: RenderOptions) {
    const related = listings.filter(({ has_relations }) => has_relations === 1)
    if (related.length === 0) return NONE
    const found = new Map<ListingView, readonly Relation[]>()
    for (const [marketplaceId, group] of Map.groupBy(related, ({ marketplace_id }) => marketplace_id)) {
      const skus = group.map(({ sku }) => sku)
      const bySku = await findRelations(reader, { sellerId, marketplaceId }, skus)
      for (const listing of group) found.set(listing, bySku.get(listing.sku) ?? [])
    }
    return found
  }
}
