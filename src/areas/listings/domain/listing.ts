import { formatMinor } from '../../../marketplace/money.ts'
import type { Requirements } from '../../../marketplace/product-types/index.ts'
import { actionOf, type Issue, type IssueKind } from './issues.ts'
import { fulfillmentTypeOf, type Price, type SaleTerms } from './sale-terms.ts'

/** NEW: not yet processed. LIVE: matched with a catalog item. UNKNOWN: patched without having been created. */
export type ListingState = 'NEW' | 'LIVE' | 'UNKNOWN'

export interface ListingKey {
  sellerId: string
  sku: string
  marketplaceId: string
}

/** A seller's SKU in one marketplace. */
export interface Listing extends ListingKey {
  state: ListingState
  productType: string
  requirements: Requirements
  asin?: string
  fnSku?: string
  itemName?: string
  mainImage?: string
  /** Derived from the attributes and stored with them, so that reads need not parse the attributes. */
  conditionType: string
  channel: string
  quantity?: number
  price?: Price
  /** Whether price, channel and quantity describe the sale terms completely. */
  hasPlainTerms: boolean
  /** Whether the listing has or had relations. False guarantees that it has none. */
  hasRelations: boolean
  isBuyable: boolean
  isDiscoverable: boolean
  /** JSON text, as stored and returned; only changes parse it. */
  productAttributes: string
  offerAttributes: string
  issues: readonly Issue[]
  /** ISO 8601, as stored and returned. */
  createdAt: string
  updatedAt: string
}

export const STATUSES = ['BUYABLE', 'DISCOVERABLE'] as const
export type Status = (typeof STATUSES)[number]

export const statusesOf = ({ isBuyable, isDiscoverable }: Pick<Listing, 'isBuyable' | 'isDiscoverable'>): Status[] => [
  ...(isBuyable ? (['BUYABLE'] as const) : []),
  ...(isDiscoverable ? (['DISCOVERABLE'] as const) : []),
]

const TERMS_ISSUES: ReadonlySet<IssueKind> = new Set(['noPrice', 'priceOutOfBounds', 'wrongCurrency'])

function findTermsIssues(
  { price, bounds, isOfferSkipped }: SaleTerms,
  requirements: Requirements,
  currency: string,
): Issue[] {
  if (!price) return requirements === 'LISTING_PRODUCT_ONLY' || isOfferSkipped ? [] : [{ kind: 'noPrice' }]
  const attribute = 'purchasable_offer'
  if (price.currencyCode !== currency) {
    return [{ kind: 'wrongCurrency', attribute, limit: `${price.currencyCode}, ${currency}` }]
  }
  const { lowestMinor = 0, highestMinor = Number.POSITIVE_INFINITY } = bounds ?? {}
  if (price.minor >= lowestMinor && price.minor <= highestMinor) return []
  const formatted = [lowestMinor, highestMinor].map((minor) =>
    Number.isFinite(minor) ? formatMinor(minor, currency) : '',
  )
  return [{ kind: 'priceOutOfBounds', attribute, limit: formatted.join(' - ') }]
}

export interface Assessment {
  issues: readonly Issue[]
  isBuyable: boolean
  isDiscoverable: boolean
}

/**
 * Judges whether a listing can be found and bought. Issues found by processing stay until the listing is processed
 * again; issues of the sale terms are computed with every change. Returns the same list if the issues did not change.
 */
export function assessListing(
  listing: Pick<Listing, 'state' | 'asin' | 'requirements' | 'issues'>,
  terms: SaleTerms,
  marketplaceCurrency: string,
): Assessment {
  const kept = listing.issues.filter(({ kind }) => !TERMS_ISSUES.has(kind))
  const termsIssues =
    listing.state === 'UNKNOWN' ? [] : findTermsIssues(terms, listing.requirements, marketplaceCurrency)
  const issues =
    termsIssues.length === 0 && kept.length === listing.issues.length ? listing.issues : [...kept, ...termsIssues]
  const isShown = isLive({ state: listing.state, asin: listing.asin, issues })
  const inStock = terms.quantity === undefined ? terms.channel !== 'DEFAULT' : terms.quantity > 0
  return {
    issues,
    isBuyable: isShown && inStock && hasOffer(terms),
    isDiscoverable: isShown && !issues.some((issue) => actionOf(issue) === 'SEARCH_SUPPRESSED'),
  }
}

/** Whether a listing lacks nothing but stock of its seller. */
export const isSoldOut = (
  listing: Pick<Listing, 'state' | 'asin' | 'issues'>,
  terms: Pick<SaleTerms, 'channel' | 'quantity' | 'price' | 'isOfferSkipped'>,
): boolean => fulfillmentTypeOf(terms) === 'MFN' && (terms.quantity ?? 0) === 0 && isLive(listing) && hasOffer(terms)

const hasOffer = ({ price, isOfferSkipped }: Pick<SaleTerms, 'price' | 'isOfferSkipped'>) =>
  price !== undefined && !isOfferSkipped

const SUPPRESSING: ReadonlySet<string | undefined> = new Set(['LISTING_SUPPRESSED', 'CATALOG_ITEM_REMOVED'])

const isLive = ({ state, asin, issues }: Pick<Listing, 'state' | 'asin' | 'issues'>) =>
  state === 'LIVE' && asin !== undefined && !issues.some((issue) => SUPPRESSING.has(actionOf(issue)))
