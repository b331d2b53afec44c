import type { IncludedData } from '../../../marketplace/bulk-listings.ts'
import type { ProductType } from '../../../marketplace/product-types/index.ts'
import type { Attributes } from '../domain/attributes.ts'
import { type Issue, type ShownIssue, showIssue } from '../domain/issues.ts'
import { statusesOf } from '../domain/listing.ts'
import { showAvailability, showOffers, showPublicOffer } from '../domain/sale-terms.ts'
import type { ShownListing } from '../store/listing-view.ts'
import type { Relation, RelationKind } from '../store/relation-store.ts'

/** What an item is shown with, besides itself. */
export interface Backdrop {
  includedData: readonly IncludedData[]
  locale: string
  now: Date
  /** By name; needed only where there are issues to put into words. */
  productTypes: ReadonlyMap<string, ProductType>
  /** Of each listing that has any; needed only where relationships are asked for. */
  relations: ReadonlyMap<ShownListing, readonly Relation[]>
}

const NOTHING = '[]'
const NONE: readonly object[] = []

const NO_ATTRIBUTES = '"attributes":null'

/**
 * The text of an item that a seller has on one marketplace or on several. The attributes are stored as they are shown,
 * so they are put into the text as they are: taking them apart and together again would take most of the time.
 */
export function renderItem(sku: string, listings: readonly ShownListing[], backdrop: Backdrop): string {
  const item: Record<string, unknown> = { sku }
  for (const set of backdrop.includedData) {
    item[set] = set === 'attributes' ? null : gather(listings, (listing) => show[set](listing, backdrop))
  }
  const text = JSON.stringify(item)
  // In text that somebody wrote, the quotes would be escaped.
  const place = text.indexOf(NO_ATTRIBUTES)
  if (place === -1) return text
  return `${text.slice(0, place)}"attributes":${renderAttributes(listings)}${text.slice(place + NO_ATTRIBUTES.length)}`
}

function gather(listings: readonly ShownListing[], of: (listing: ShownListing) => readonly object[]) {
  const [only] = listings
  return only && listings.length === 1 ? of(only) : listings.flatMap(of)
}

/** What a listing adds to a set. */
type Show = (listing: ShownListing, backdrop: Backdrop) => readonly object[]

const show: Record<Exclude<IncludedData, 'attributes'>, Show> = {
  // The specification's item that there is no record of has no summaries.
  summaries: (listing) => (isKnown(listing) ? [summarize(listing)] : NONE),
  issues: (listing, backdrop) => (hasIssues(listing) ? showIssues(listing, backdrop) : NONE),
  offers: (listing, { now }) => (isKnown(listing) ? offersOf(listing, now) : NONE),
  fulfillmentAvailability: (listing) => (isKnown(listing) ? availabilityOf(listing) : NONE),
  procurement: () => NONE,
  relationships: (listing, { relations }) => showRelations(listing, relations.get(listing)),
  productTypes: ({ marketplace_id, product_type }) => [{ marketplaceId: marketplace_id, productType: product_type }],
}

const isKnown = ({ state }: ShownListing) => state !== 'UNKNOWN'
export const hasIssues = ({ issues }: ShownListing) => issues !== NOTHING

const offerAttributesOf = (listing: ShownListing): Attributes => JSON.parse(listing.offer_attributes)

function offersOf(listing: ShownListing, now: Date) {
  const { has_plain_terms, marketplace_id, price_minor: minor, price_currency: currencyCode } = listing
  if (has_plain_terms === 0) return showOffers(offerAttributesOf(listing), marketplace_id, now)
  return minor === null || currencyCode === null ? [] : [showPublicOffer(marketplace_id, { minor, currencyCode })]
}

function availabilityOf(listing: ShownListing) {
  const { has_plain_terms, channel, quantity } = listing
  if (has_plain_terms === 0) return showAvailability(offerAttributesOf(listing))
  return [{ fulfillmentChannelCode: channel, quantity: quantity ?? undefined }]
}

const MAIN_IMAGE_PIXELS = 1000

const STATUSES_BY_FLAGS = [0, 1, 2, 3].map((flags) =>
  statusesOf({ isBuyable: flags >= 2, isDiscoverable: flags % 2 === 1 }),
)

const summarize = (listing: ShownListing) => ({
  marketplaceId: listing.marketplace_id,
  asin: listing.asin ?? undefined,
  productType: listing.product_type,
  conditionType: listing.condition_type,
  status: STATUSES_BY_FLAGS[listing.is_buyable * 2 + listing.is_discoverable],
  fnSku: listing.fn_sku ?? undefined,
  itemName: listing.item_name ?? undefined,
  createdDate: listing.created_at,
  lastUpdatedDate: listing.updated_at,
  mainImage:
    listing.main_image === null
      ? undefined
      : { link: listing.main_image, height: MAIN_IMAGE_PIXELS, width: MAIN_IMAGE_PIXELS },
})

function renderAttributes(listings: readonly ShownListing[]): string {
  const [only] = listings
  if (only && listings.length === 1) return join(only.product_attributes, only.offer_attributes)
  const together: Record<string, unknown[]> = {}
  for (const listing of listings) {
    for (const [name, entries] of Object.entries(
      JSON.parse(join(listing.product_attributes, listing.offer_attributes)),
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

function showIssues(listing: ShownListing, { locale, productTypes }: Backdrop): ShownIssue[] {
  const productType = productTypes.get(listing.product_type)
  if (!productType) return []
  const marketplaceIds = [listing.marketplace_id]
  const issues: Issue[] = JSON.parse(listing.issues)
  return issues.map((issue) => showIssue(issue, { locale, productType, marketplaceIds }))
}

function showRelations({ marketplace_id, sku }: ShownListing, relations: readonly Relation[] | undefined) {
  if (!relations) return NONE
  const relationships = (['VARIATION', 'PACKAGE_HIERARCHY'] satisfies RelationKind[]).flatMap((type) => {
    const own = relations.filter(({ relation }) => relation === type)
    if (own.length === 0) return []
    const childSkus = own.filter(({ parentSku }) => parentSku === sku).map(({ childSku }) => childSku)
    const parentSkus = own.filter(({ childSku }) => childSku === sku).map(({ parentSku }) => parentSku)
    return [{ type, ...(childSkus.length > 0 && { childSkus }), ...(parentSkus.length > 0 && { parentSkus }) }]
  })
  return relationships.length === 0 ? [] : [{ marketplaceId: marketplace_id, relationships }]
}
