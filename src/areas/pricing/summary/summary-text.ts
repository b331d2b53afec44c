import { type Market, offersIn } from '../../../marketplace/market/market.ts'
import { type Condition, splitCondition } from '../../../marketplace/offers/conditions.ts'
import type { Offer, OfferTerms } from '../../../marketplace/offers/offers.ts'
import { SUCCESS } from '../batch.ts'
import { renderPoints, toMoney } from '../money.ts'
import { MAX_OFFERS } from '../offer-facts.ts'
import type { PricingTables } from '../tables.ts'

/** A competitive summary with all of its data sets, as JSON text. */
export type Summary = Omit<PricingTables['market_summaries'], 'marketplace_id' | 'asin' | 'computed_on'>

/** Delimiters of the offers in New condition, which `element` contains. */
export const OFFERS_OPENING = ',"lowestPricedOffers":['
export const OFFERS_CLOSING = ']'
/** `element` lacks its end, so that a response can omit data sets. */
export const ELEMENT_CLOSING = '}}'

/** Renders a summary once per change of the market, so that responses only copy text. */
export function renderSummaryJson(market: Market, similarAsins: readonly string[]): Summary {
  const { product, currencyCode, featured, references } = market
  const price = (name: string, minor: number | undefined) =>
    minor === undefined ? [] : [{ name, price: toMoney(minor, currencyCode) }]
  const head = `{"status":${JSON.stringify(SUCCESS)},"body":{"asin":"${product.asin}","marketplaceId":"${product.marketplaceId}"`
  const featuredBuyingOptions = featured
    ? [
        {
          buyingOptionType: 'New',
          segmentedFeaturedOffers: [{ ...renderOffer(featured), featuredOfferSegments: [ALL_CUSTOMERS] }],
        },
      ]
    : []
  const referencePrices = [
    ...price('CompetitivePriceThreshold', references.thresholdMinor),
    ...price('CompetitivePrice', references.competitiveMinor),
    ...price('WasPrice', references.wasMinor),
  ]
  const similarItems = similarAsins.length === 0 ? [] : [{ items: similarAsins.map((asin) => ({ asin })) }]
  const parts = [
    head,
    `,"featuredBuyingOptions":${JSON.stringify(featuredBuyingOptions)}`,
    `,"referencePrices":${JSON.stringify(referencePrices)}`,
    `${OFFERS_OPENING}${renderOffersJson(market, 'New')}${OFFERS_CLOSING}`,
    `,"similarItems":${JSON.stringify(similarItems)}`,
  ]
  const endOf = (index: number) => parts.slice(0, index + 1).reduce((length, part) => length + part.length, 0)
  return {
    head_end: endOf(0),
    featured_end: endOf(1),
    references_end: endOf(2),
    offers_end: endOf(3),
    element: parts.join(''),
    used_offers: renderOffersJson(market, 'Used'),
    collectible_offers: renderOffersJson(market, 'Collectible'),
    refurbished_offers: renderOffersJson(market, 'Refurbished'),
    club_offers: renderOffersJson(market, 'Club'),
  }
}

const renderOffersJson = (market: Market, itemCondition: Condition) =>
  JSON.stringify({
    lowestPricedOffersInput: { itemCondition, offerType: 'Consumer' },
    offers: offersIn(market, itemCondition).slice(0, MAX_OFFERS).map(renderOffer),
  })

// All customers see the same offer.
const ALL_CUSTOMERS = { customerMembership: 'DEFAULT', segmentDetails: { glanceViewWeightPercentage: 100 } }

function renderOffer(offer: Offer) {
  const { sellerId, fulfillmentType, priceMinor, shippingMinor, currencyCode, terms } = offer
  return {
    sellerId,
    ...splitCondition(offer.conditionType),
    fulfillmentType,
    listingPrice: toMoney(priceMinor, currencyCode),
    shippingOptions: [{ shippingOptionType: 'DEFAULT', price: toMoney(shippingMinor, currencyCode) }],
    ...(terms.points && { points: renderPoints(terms, currencyCode) }),
    primeDetails: { eligibility: terms.prime ?? 'NONE' },
    ...(terms.promotions?.length && {
      promotions: terms.promotions.map((promotion) => renderPromotion(promotion, offer)),
    }),
  }
}

type Promotion = NonNullable<OfferTerms['promotions']>[number]

function renderPromotion(promotion: Promotion, { priceMinor, currencyCode }: Offer) {
  const { type, amountOffMinor, percentOff } = promotion
  return {
    promotionType: type,
    promotionSavings: {
      ...(amountOffMinor !== undefined && {
        discount: { type: 'AMOUNT_OFF', amountOff: toMoney(amountOffMinor, currencyCode) },
        discountedPrice: toMoney(Math.max(0, priceMinor - amountOffMinor), currencyCode),
      }),
      ...(amountOffMinor === undefined &&
        percentOff !== undefined && {
          discount: { type: 'PERCENTAGE_OFF', percentOff },
          discountedPrice: toMoney(applyDiscount(priceMinor, percentOff), currencyCode),
        }),
    },
  }
}

const PARTS_OF_WHOLE = 1_000_000

/** Rounds half up to the minor unit, in integers: 12.5 % off 19.99 is 17.49. */
function applyDiscount(priceMinor: number, percentOff: number): number {
  const left = BigInt(PARTS_OF_WHOLE - Math.round(percentOff * (PARTS_OF_WHOLE / 100)))
  const whole = BigInt(PARTS_OF_WHOLE)
  return Number((BigInt(priceMinor) * left + whole / 2n) / whole)
}
