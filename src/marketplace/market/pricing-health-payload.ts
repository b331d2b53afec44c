import { splitCondition } from '../conditions.ts'
import type { Offer } from '../offers.ts'
import { landedMinor } from './featured-offer.ts'
import { eligibleOffers, type Market } from './market.ts'
import type { OfferChange } from './offer-change.ts'
import { groupOffers, type OfferGroup } from './offer-groups.ts'
import { salesRanksOf } from './offer-words.ts'
import { toMoney } from './summary.ts'

/** That an offer cannot be featured because of its price, as PRICING_HEALTH tells it. */
export function describePricingHealth(market: Market, offer: Offer, change: OfferChange) {
  const { currencyCode, featured, references } = market
  const { wasMinor, thresholdMinor } = references
  return {
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
      ...representPrices(offer),
    },
    summary: {
      numberOfOffers: groupOffers(market.offers).map(count),
      buyBoxEligibleOffers: groupOffers(eligibleOffers(market)).map(count),
      buyBoxPrices: featured ? [{ condition: conditionOf(featured), ...representPrices(featured) }] : [],
      salesRankings: salesRanksOf(market.product).map(({ category, rank }) => ({ productCategoryId: category, rank })),
      referencePrice: {
        ...(wasMinor !== undefined && { averageSellingPrice: toMoney(wasMinor, currencyCode) }),
        ...(thresholdMinor !== undefined && { competitivePriceThreshold: toMoney(thresholdMinor, currencyCode) }),
      },
    },
  }
}

const conditionOf = ({ conditionType }: Offer) => splitCondition(conditionType).condition.toLowerCase()

const representPrices = (offer: Offer) => ({
  landedPrice: toMoney(landedMinor(offer), offer.currencyCode),
  listingPrice: toMoney(offer.priceMinor, offer.currencyCode),
  shipping: toMoney(offer.shippingMinor, offer.currencyCode),
  ...(offer.terms.points && { points: { pointsNumber: offer.terms.points.number } }),
})

const count = ({ condition, fulfillmentType, offers }: OfferGroup) => ({
  condition: condition.toLowerCase(),
  fulfillmentType,
  offerCount: offers.length,
})
