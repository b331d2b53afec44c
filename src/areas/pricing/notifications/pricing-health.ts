import { landedMinor } from '../../../marketplace/market/featured-offer.ts'
import { eligibleOffers, type Market } from '../../../marketplace/market/market.ts'
import { splitCondition } from '../../../marketplace/offers/conditions.ts'
import { groupOffers, type OfferGroup } from '../../../marketplace/offers/offer-groups.ts'
import type { Offer } from '../../../marketplace/offers/offers.ts'
import { toMoney } from '../money.ts'
import { salesRanksOf } from '../offer-facts.ts'
import type { OfferChange } from './offer-change-event.ts'

export type HealthSummary = ReturnType<typeof renderHealthSummary>

/** Renders the part of PRICING_HEALTH that is the same for every offer. */
export function renderHealthSummary(market: Market) {
  const { currencyCode, featured, references } = market
  const { wasMinor, thresholdMinor } = references
  return {
    numberOfOffers: groupOffers(market.offers).map(renderCount),
    buyBoxEligibleOffers: groupOffers(eligibleOffers(market)).map(renderCount),
    buyBoxPrices: featured ? [{ condition: conditionOf(featured), ...renderPrices(featured) }] : [],
    salesRankings: salesRanksOf(market.product).map(({ category, rank }) => ({ productCategoryId: category, rank })),
    referencePrice: {
      ...(wasMinor !== undefined && { averageSellingPrice: toMoney(wasMinor, currencyCode) }),
      ...(thresholdMinor !== undefined && { competitivePriceThreshold: toMoney(thresholdMinor, currencyCode) }),
    },
  }
}

/** Renders PRICING_HEALTH for an offer that its price disqualifies from being featured. */
export const renderPricingHealth = (summary: HealthSummary, offer: Offer, change: OfferChange) => ({
  sellerId: offer.sellerId,
  issueType: 'BuyBoxDisqualification',
  offerChangeTrigger: {
    marketplaceId: change.marketplaceId,
    asin: change.asin,
    itemCondition: conditionOf(offer),
    timeOfOfferChange: change.occurredAt.toISOString(),
  },
  merchantOffer: {
    condition: conditionOf(offer),
    fulfillmentType: offer.fulfillmentType,
    ...renderPrices(offer),
  },
  summary,
})

const conditionOf = ({ conditionType }: Offer) => splitCondition(conditionType).condition.toLowerCase()

const renderPrices = (offer: Offer) => ({
  landedPrice: toMoney(landedMinor(offer), offer.currencyCode),
  listingPrice: toMoney(offer.priceMinor, offer.currencyCode),
  shipping: toMoney(offer.shippingMinor, offer.currencyCode),
  ...(offer.terms.points && { points: { pointsNumber: offer.terms.points.number } }),
})

const renderCount = ({ condition, fulfillmentType, offers }: OfferGroup) => ({
  condition: condition.toLowerCase(),
  fulfillmentType,
  offerCount: offers.length,
})
