import { formatMinor } from '../../../marketplace/money.ts'
import type { Requirements } from '../../../marketplace/product-types/index.ts'
import { actionOf, type Issue, type IssueKind } from './issues.ts'
import type { Price, SaleTerms } from './sale-terms.ts'

/**
 * NEW: not yet processed. LIVE: it belongs to a product of the catalogue. UNKNOWN: it was changed before it was made,
 * and there is no record of it.
 */
export type ListingState = 'NEW' | 'LIVE' | 'UNKNOWN'

export interface ListingKey {
  sellerId: string
  sku: string
  marketplaceId: string
}

/** What a seller has on one marketplace under one SKU. */
export interface Listing extends ListingKey {
  state: ListingState
  productType: string
  requirements: Requirements
  asin?: string
  fnSku?: string
  itemName?: string
  mainImage?: string
  /** What the attributes amount to; kept beside them, so that nobody has to take them apart to know. */
  conditionType: string
  channel: string
  quantity?: number
  price?: Price
  /** Whether price, channel and quantity are all that there is to tell of the terms of sale. */
  hasPlainTerms: boolean
  /** Whether there is, or has been, a relation to another listing. False says for certain that it tells of none. */
  hasRelations: boolean
  isBuyable: boolean
  isDiscoverable: boolean
  /** JSON text, as it is stored and shown: it is taken apart only by those who change it. */
  productAttributes: string
  offerAttributes: string
  issues: readonly Issue[]
  /** ISO 8601, as they are stored and shown: nobody counts with them. */
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

/** What is wrong with the terms of sale. */
function findTermsIssues(
  { price, bounds, isOfferSkipped: offersNothing }: SaleTerms,
  requirements: Requirements,
  currency: string,
): Issue[] {
  if (!price) return requirements === 'LISTING_PRODUCT_ONLY' || offersNothing ? [] : [{ kind: 'noPrice' }]
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
 * Whether a listing can be found and bought, and what is wrong with it. Issues that processing found stay until it
 * looks again; those of the terms of sale are found anew with every change.
 */
export function assessListing(
  listing: Pick<Listing, 'state' | 'asin' | 'requirements' | 'issues'>,
  terms: SaleTerms,
  marketplaceCurrency: string,
): Assessment {
  const kept = listing.issues.filter(({ kind }) => !TERMS_ISSUES.has(kind))
  const isLive = listing.state === 'LIVE' && listing.asin !== undefined
  const termsIssues =
    listing.state === 'UNKNOWN' ? [] : findTermsIssues(terms, listing.requirements, marketplaceCurrency)
  const issues =
    termsIssues.length === 0 && kept.length === listing.issues.length ? listing.issues : [...kept, ...termsIssues]
  const actions = new Set(issues.map(actionOf))
  const isSuppressed = actions.has('LISTING_SUPPRESSED') || actions.has('CATALOG_ITEM_REMOVED')
  const inStock = terms.quantity === undefined ? terms.channel !== 'DEFAULT' : terms.quantity > 0
  return {
    issues,
    isBuyable: isLive && !isSuppressed && inStock && terms.price !== undefined && !terms.isOfferSkipped,
    isDiscoverable: isLive && !isSuppressed && !actions.has('SEARCH_SUPPRESSED'),
  }
}
