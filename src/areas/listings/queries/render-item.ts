import type { ProductType } from '../../../marketplace/product-types/index.ts'
import type { Attributes } from '../domain/attributes.ts'
import { type Issue, type IssueView, renderIssue } from '../domain/issues.ts'
import { statusesOf } from '../domain/listing.ts'
import type { Relation, RelationKind } from '../domain/relations.ts'
import { renderAvailability, renderConsumerOffer, renderOffers } from '../domain/sale-terms.ts'
import type { IncludedData } from '../schema.ts'
import type { ListingView } from '../store/listing-view.ts'
import { joinAttributesJson } from './join-attributes.ts'

export interface RenderContext {
  includedData: readonly IncludedData[]
  locale: string
  now: Date
  /** By name; needed only if issues are rendered. */
  productTypes: ReadonlyMap<string, ProductType>
  /** Of listings that have relations; needed only if relationships are rendered. */
  relations: ReadonlyMap<ListingView, readonly Relation[]>
}

const NO_ISSUES = '[]'
const NONE: readonly object[] = []

const NO_ATTRIBUTES = '"attributes":null'

/**
 * Renders the listings of a SKU in one or several marketplaces. Inserts the stored JSON of the attributes as it is: parsing
 * and serializing it would take most of the time.
 */
export function renderItemJson(sku: string, listings: readonly ListingView[], context: RenderContext): string {
  const item: Record<string, unknown> = { sku }
  for (const set of context.includedData) {
    item[set] = set === 'attributes' ? null : flatten(listings, (listing) => renderers[set](listing, context))
  }
  const text = JSON.stringify(item)
  // Cannot occur inside a string of the seller: there the quotes are escaped.
  const index = text.indexOf(NO_ATTRIBUTES)
  if (index === -1) return text
  return `${text.slice(0, index)}"attributes":${renderAttributesJson(listings)}${text.slice(index + NO_ATTRIBUTES.length)}`
}

function flatten(listings: readonly ListingView[], of: (listing: ListingView) => readonly object[]) {
  const [only] = listings
  return only && listings.length === 1 ? of(only) : listings.flatMap(of)
}

type RenderSet = (listing: ListingView, context: RenderContext) => readonly object[]

const renderers: Record<Exclude<IncludedData, 'attributes'>, RenderSet> = {
  // The specification omits summaries of unknown SKUs.
  summaries: (listing) => (isKnown(listing) ? [renderSummary(listing)] : NONE),
  issues: (listing, context) => (hasIssues(listing) ? renderIssues(listing, context) : NONE),
  offers: (listing, { now }) => (isKnown(listing) ? offersOf(listing, now) : NONE),
  fulfillmentAvailability: (listing) => (isKnown(listing) ? availabilityOf(listing) : NONE),
  procurement: () => NONE,
  relationships: (listing, { relations }) => renderRelations(listing, relations.get(listing)),
  productTypes: ({ marketplace_id, product_type }) => [{ marketplaceId: marketplace_id, productType: product_type }],
}

const isKnown = ({ state }: ListingView) => state !== 'UNKNOWN'
export const hasIssues = ({ issues }: ListingView) => issues !== NO_ISSUES

const offerAttributesOf = (listing: ListingView): Attributes => JSON.parse(listing.offer_attributes)

function offersOf(listing: ListingView, now: Date) {
  const { has_plain_terms, marketplace_id, price_minor: minor, price_currency: currencyCode } = listing
  if (has_plain_terms === 0) return renderOffers(offerAttributesOf(listing), marketplace_id, now)
  return minor === null || currencyCode === null ? [] : [renderConsumerOffer(marketplace_id, { minor, currencyCode })]
}

function availabilityOf(listing: ListingView) {
  const { has_plain_terms, channel, quantity } = listing
  if (has_plain_terms === 0) return renderAvailability(offerAttributesOf(listing))
  return [{ fulfillmentChannelCode: channel, quantity: quantity ?? undefined }]
}

const MAIN_IMAGE_PIXELS = 1000

const STATUSES_BY_FLAGS = [0, 1, 2, 3].map((flags) =>
  statusesOf({ isBuyable: flags >= 2, isDiscoverable: flags % 2 === 1 }),
)

const renderSummary = (listing: ListingView) => ({
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

function renderAttributesJson(listings: readonly ListingView[]): string {
  const [only] = listings
  if (only && listings.length === 1) return concatObjects(only.product_attributes, only.offer_attributes)
  return joinAttributesJson(
    listings.map(({ product_attributes, offer_attributes }) => concatObjects(product_attributes, offer_attributes)),
  )
}

/** Joins two JSON objects without a common key. */
function concatObjects(first: string, second: string): string {
  if (first === '{}') return second
  if (second === '{}') return first
  return `${first.slice(0, -1)},${second.slice(1)}`
}

function renderIssues(listing: ListingView, { locale, productTypes }: RenderContext): IssueView[] {
  const productType = productTypes.get(listing.product_type)
  if (!productType) return []
  const marketplaceIds = [listing.marketplace_id]
  const issues: Issue[] = JSON.parse(listing.issues)
  return issues.map((issue) => renderIssue(issue, { locale, productType, marketplaceIds }))
}

function renderRelations({ marketplace_id, sku }: ListingView, relations: readonly Relation[] | undefined) {
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
