import { requireParticipation } from '../../../marketplace/accounts/participation.ts'
import type { ProductType, ProductTypes } from '../../../marketplace/product-types/index.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Reader } from '../../../platform/database/port.ts'
import type { Relation } from '../domain/relations.ts'
import type { IncludedData } from '../schema.ts'
import type { ListingView } from '../store/listing-view.ts'
import { findRelations } from '../store/relation-store.ts'
import { hasIssues, renderItemJson } from './render-item.ts'

export interface RendererDependencies {
  clock: Clock
  productTypes: ProductTypes
}

/** What somebody wants to see of an item. */
export interface RenderOptions {
  sellerId: string
  marketplaceIds: readonly string[]
  includedData: readonly IncludedData[]
  /** Of the messages of issues; that of the first marketplace unless stated. */
  issueLocale?: string | undefined
}

export type ItemRenderer = ReturnType<typeof createItemRenderer>

/** Shows items, together with what stands elsewhere than in the listing: its relations, and the words for its issues. */
export function createItemRenderer({ clock, productTypes }: RendererDependencies) {
  const NONE = new Map<never, never>()

  return {
    /** The text of an item, where nothing has to be looked up for it: that is most of them. */
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

    /** Answers the text of each item, in the order of the SKUs given. */
    async render(
      reader: Reader,
      skus: readonly string[],
      listings: readonly ListingView[],
      view: RenderOptions,
    ): Promise<string[]> {
      const { includedData, issueLocale } = view
      const withIssues = includedData.includes('issues') ? listings.filter(hasIssues) : []
      const context = {
        includedData,
        now: clock.now(),
        locale: withIssues.length > 0 ? (issueLocale ?? (await defaultLocale(reader, view))) : '',
        productTypes: withIssues.length > 0 ? await findTypes(reader, withIssues) : NONE,
        relations: includedData.includes('relationships') ? await findAllRelations(reader, listings, view) : NONE,
      }
      const bySku = Map.groupBy(listings, ({ sku }) => sku)
      return skus.map((sku) => renderItemJson(sku, bySku.get(sku) ?? [], context))
    },
  }

  // A type that the operator has taken away still has words for its issues: those of any product.
  async function findTypes(reader: Reader, listings: readonly ListingView[]) {
    const found = new Map<string, ProductType>()
    for (const name of new Set(listings.map(({ product_type }) => product_type))) {
      const type = (await productTypes.find(reader, name)) ?? (await productTypes.find(reader, 'PRODUCT'))
      if (type) found.set(name, type)
    }
    return found
  }

  async function defaultLocale(reader: Reader, { sellerId, marketplaceIds }: RenderOptions) {
    const [place] = await requireParticipation(reader, sellerId, marketplaceIds.slice(0, 1))
    return place?.languageCode ?? 'en_US'
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
