import { isDeepStrictEqual } from 'node:util'
import type { CatalogItem } from '../catalog/index.ts'
import { type Condition, splitCondition } from '../offers/conditions.ts'
import type { Offer } from '../offers/offers.ts'
import {
  byLandedPrice,
  chooseFeatured,
  findIneligibility,
  landedMinor,
  rankOffers,
  type Standing,
} from './featured-offer.ts'
import { type Closing, medianClosing, recordClosing } from './price-history.ts'

export interface MarketInput {
  product: CatalogItem
  currencyCode: string
  offers: readonly Offer[]
  history: readonly Closing[]
}

/** The market of a product on one day. */
export interface Market {
  product: CatalogItem
  currencyCode: string
  /** Offers in the marketplace's currency, lowest landed price first. */
  offers: readonly Offer[]
  featured: Offer | undefined
  references: ReferencePrices
  /** The price history including this day. */
  history: readonly Closing[]
  /** The same before. */
  pastHistory: readonly Closing[]
}

/** Landed prices in minor units. */
export interface ReferencePrices {
  /** Offers above this price are not featured. */
  thresholdMinor?: number
  /** The lowest price among offers that are eligible apart from their price. */
  competitiveMinor?: number
  /** The median featured price of the last 90 days. */
  wasMinor?: number
}

const THRESHOLD_PERCENT_OF_WAS_PRICE = 120

/** Computes a market. The result depends on the input and the day alone. */
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
    pastHistory: history,
  }
}

/** Whether the price history has changed with this day. */
export const hasNewClosing = ({ history, pastHistory }: Market): boolean => !isDeepStrictEqual(history, pastHistory)

/** Variation parents are not for sale, and adult products are not featured. */
export const canBeFeatured = ({ itemClassification, adultProduct }: CatalogItem): boolean =>
  itemClassification !== 'VARIATION_PARENT' && adultProduct !== true

export const eligibleOffers = ({ product, offers, references }: Market): Offer[] =>
  canBeFeatured(product) ? offers.filter((offer) => !findIneligibility(offer, references.thresholdMinor)) : []

/** How each offer stands in the choice of the featured one. Of a product that cannot be featured, no offer has a rank. */
export const standingsOf = ({ product, offers, references }: Market): Standing[] =>
  canBeFeatured(product) ? rankOffers(offers, references.thresholdMinor) : offers.map((offer) => ({ offer }))

export const offersIn = (market: Market, condition: Condition): Offer[] =>
  market.offers.filter((offer) => splitCondition(offer.conditionType).condition === condition)

/** Only the competitive price depends on today's offers. Otherwise the threshold would follow the prices that it limits. */
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
