import type { CatalogItem } from '../catalog/index.ts'
import { type Condition, splitCondition } from '../offers/conditions.ts'
import type { Offer } from '../offers/offers.ts'
import { byLandedPrice, chooseFeatured, findIneligibility, landedMinor } from './featured-offer.ts'
import { type Closing, medianClosing, recordClosing } from './price-history.ts'

/** What is known of a product's market before anything is made of it. */
export interface MarketInput {
  product: CatalogItem
  currencyCode: string
  offers: readonly Offer[]
  history: readonly Closing[]
}

/** What the offers for a product amount to on one day. */
export interface Market {
  product: CatalogItem
  currencyCode: string
  /** Those in the marketplace's currency, the lowest landed price first. */
  offers: readonly Offer[]
  featured: Offer | undefined
  references: ReferencePrices
  /** The history with this day in it. */
  history: readonly Closing[]
}

/** Landed prices that an offer is measured by, in minor units. */
export interface ReferencePrices {
  /** Above it an offer is not featured. */
  thresholdMinor?: number
  /** The lowest of those that could be featured, were it for their price. */
  competitiveMinor?: number
  /** The median of what was featured in the last 90 days. */
  wasMinor?: number
}

const THRESHOLD_PERCENT_OF_WAS_PRICE = 120

/** Works a market out. The same facts on the same day give the same market. */
export function computeMarket({ product, currencyCode, history, ...facts }: MarketInput, today: number): Market {
  const offers = facts.offers.filter((offer) => offer.currencyCode === currencyCode).sort(byLandedPrice)
  const references = computeReferencePrices(offers, history, today)
  const featured = canBeFeatured(product) ? chooseFeatured(offers, references.thresholdMinor) : undefined
  return {
    product,
    currencyCode,
    offers,
    featured,
    references,
    history: recordClosing(history, today, featured ? landedMinor(featured) : null),
  }
}

/** Nobody sells the parent of variations, and adult products are not put forward. */
export const canBeFeatured = ({ itemClassification, adultProduct }: CatalogItem): boolean =>
  itemClassification !== 'VARIATION_PARENT' && adultProduct !== true

/** Those of which one is featured. */
export const eligibleOffers = ({ product, offers, references }: Market): Offer[] =>
  canBeFeatured(product) ? offers.filter((offer) => !findIneligibility(offer, references.thresholdMinor)) : []

export const offersIn = (market: Market, condition: Condition): Offer[] =>
  market.offers.filter((offer) => splitCondition(offer.conditionType).condition === condition)

/** Today's price is in none of them but the competitive one, or the threshold would follow the prices that it judges. */
function computeReferencePrices(offers: readonly Offer[], history: readonly Closing[], today: number): ReferencePrices {
  const lowest = offers.find((offer) => !findIneligibility(offer, undefined))
  const wasMinor = medianClosing(history, today)
  return {
    ...(wasMinor !== undefined && {
      thresholdMinor: Math.floor((wasMinor * THRESHOLD_PERCENT_OF_WAS_PRICE) / 100),
      wasMinor,
    }),
    ...(lowest && { competitiveMinor: landedMinor(lowest) }),
  }
}
