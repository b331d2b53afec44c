import type { ProductType } from '../../marketplace/product-types/index.ts'
import type { Attributes } from './attributes.ts'
import { type ShownIssue, showIssue } from './issues.ts'
import { type Listing, statusesOf } from './listing.ts'
import type { Relation, RelationKind } from './relations.ts'
import type { IncludedData } from './schema.ts'
import { showAvailability, showOffers } from './terms.ts'

/** What an item is shown with, besides itself. */
export interface Backdrop {
  includedData: readonly IncludedData[]
  locale: string
  now: Date
  /** Of each listing, in the same order; needed only where there are issues to put into words. */
  productTypes: readonly (ProductType | undefined)[]
  /** Of each listing, in the same order; needed only where relationships are asked for. */
  relations: readonly (readonly Relation[])[]
}

/**
 * The text of an item that a seller has on one marketplace or on several. The attributes are stored as they are shown,
 * so they are put into the text as they are: taking them apart and together again would take most of the time.
 */
export function renderItem(sku: string, listings: readonly Listing[], backdrop: Backdrop): string {
  let text = `{"sku":${JSON.stringify(sku)}`
  for (const set of backdrop.includedData) text += `,"${set}":${renderers[set](listings, backdrop)}`
  return `${text}}`
}

const renderers: Record<IncludedData, (listings: readonly Listing[], backdrop: Backdrop) => string> = {
  // The specification's item that there is no record of has no summaries.
  summaries: (listings) => JSON.stringify(listings.filter(isKnown).map(summarize)),
  attributes: renderAttributes,
  issues: (listings, backdrop) => {
    if (listings.every(({ issues }) => issues.length === 0)) return '[]'
    return JSON.stringify(listings.flatMap((listing, index) => showIssues(listing, backdrop, index)))
  },
  offers: (listings, { now }) =>
    JSON.stringify(
      listings.flatMap((listing) =>
        isKnown(listing) ? showOffers(offerAttributesOf(listing), listing.marketplaceId, now) : [],
      ),
    ),
  fulfillmentAvailability: (listings) =>
    JSON.stringify(
      listings.flatMap((listing) => (isKnown(listing) ? showAvailability(offerAttributesOf(listing)) : [])),
    ),
  procurement: () => '[]',
  relationships: (listings, { relations }) =>
    JSON.stringify(
      listings.flatMap(({ marketplaceId, sku }, index) => {
        const shown = groupRelations(sku, relations[index] ?? [])
        return shown.length === 0 ? [] : [{ marketplaceId, relationships: shown }]
      }),
    ),
  productTypes: (listings) =>
    JSON.stringify(listings.map(({ marketplaceId, productType }) => ({ marketplaceId, productType }))),
}

const isKnown = ({ state }: Listing) => state !== 'UNKNOWN'

const offerAttributesOf = (listing: Listing): Attributes => JSON.parse(listing.offerAttributes)

const MAIN_IMAGE_PIXELS = 1000

const summarize = (listing: Listing) => ({
  marketplaceId: listing.marketplaceId,
  asin: listing.asin,
  productType: listing.productType,
  conditionType: listing.conditionType,
  status: statusesOf(listing),
  fnSku: listing.fnSku,
  itemName: listing.itemName,
  createdDate: listing.createdAt.toISOString(),
  lastUpdatedDate: listing.updatedAt.toISOString(),
  mainImage: listing.mainImage && {
    link: listing.mainImage,
    height: MAIN_IMAGE_PIXELS,
    width: MAIN_IMAGE_PIXELS,
  },
})

function renderAttributes(listings: readonly Listing[]): string {
  const [only] = listings
  if (only && listings.length === 1) return join(only.productAttributes, only.offerAttributes)
  const together: Record<string, unknown[]> = {}
  for (const listing of listings) {
    for (const [name, entries] of Object.entries(
      JSON.parse(join(listing.productAttributes, listing.offerAttributes)),
    )) {
      together[name] = [...(together[name] ?? []), ...(entries as unknown[])]
    }
  }
  return JSON.stringify(together)
}

/** Two objects as one. They have no key in common. */
function join(first: string, second: string): string {
  if (first === '{}') return second
  if (second === '{}') return first
  return `${first.slice(0, -1)},${second.slice(1)}`
}

function showIssues(listing: Listing, { locale, productTypes }: Backdrop, index: number): ShownIssue[] {
  const productType = productTypes[index]
  if (!productType) return []
  const marketplaceIds = [listing.marketplaceId]
  return listing.issues.map((issue) => showIssue(issue, { locale, productType, marketplaceIds }))
}

function groupRelations(sku: string, relations: readonly Relation[]) {
  return (['VARIATION', 'PACKAGE_HIERARCHY'] satisfies RelationKind[]).flatMap((type) => {
    const own = relations.filter(({ relation }) => relation === type)
    if (own.length === 0) return []
    const childSkus = own.filter(({ parentSku }) => parentSku === sku).map(({ childSku }) => childSku)
    const parentSkus = own.filter(({ childSku }) => childSku === sku).map(({ parentSku }) => parentSku)
    return [{ type, ...(childSkus.length > 0 && { childSkus }), ...(parentSkus.length > 0 && { parentSkus }) }]
  })
}
