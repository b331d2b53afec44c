import {
  canBeFeatured,
  compareOffers,
  findExpectedPrice,
  findIneligibility,
  type Market,
} from '../../../marketplace/market/index.ts'
import { splitCondition } from '../../../marketplace/offers/conditions.ts'
import type { Offer } from '../../../marketplace/offers/offers.ts'
import { renderPoints, toMoney } from '../money.ts'
import type { CompetingOffer, ExpectedPriceResult } from '../schema.ts'

export interface SellerListing {
  sellerId: string
  marketplaceId: string
  sku: string
  /** Absent if the listing has no product yet. */
  asin?: string
}

/** Computes the highest price at which an offer would be featured. */
export function computeExpectedPrice(market: Market | undefined, offer: Offer | undefined): ExpectedPriceResult {
  if (!market || !offer) return { resultStatus: 'OFFER_NOT_FOUND' }
  if (!canBeFeatured(market.product)) return { resultStatus: 'ASIN_NOT_ELIGIBLE' }
  const { thresholdMinor } = market.references
  const current = market.featured && { currentFeaturedOffer: renderCompetitor(market.featured) }
  // Without the threshold, because the result is a price that meets it.
  if (findIneligibility(offer, undefined)) return { resultStatus: 'OFFER_NOT_ELIGIBLE', ...current }
  const competitor = findBestCompetitor(market, offer)
  if (!competitor) return { resultStatus: 'NO_COMPETING_OFFER', ...current }
  const competing = { competingFeaturedOffer: renderCompetitor(competitor), ...current }
  const priceMinor = findExpectedPrice(offer, competitor, thresholdMinor)
  if (priceMinor === undefined) return { resultStatus: 'OFFER_NOT_ELIGIBLE', ...competing }
  const points = renderPoints(offer.terms, offer.currencyCode)
  return {
    resultStatus: 'VALID_FOEP',
    featuredOfferExpectedPrice: {
      listingPrice: toMoney(priceMinor, offer.currencyCode),
      ...(points && { points }),
    },
    ...competing,
  }
}

/** Skips the seller's other offers: sellers do not compete with themselves. */
function findBestCompetitor({ offers, references }: Market, { sellerId }: Offer): Offer | undefined {
  return offers
    .filter((offer) => offer.sellerId !== sellerId && !findIneligibility(offer, references.thresholdMinor))
    .sort(compareOffers)[0]
}

function renderCompetitor(offer: Offer): CompetingOffer {
  const { asin, marketplaceId, fulfillmentType, sellerId, currencyCode, terms } = offer
  const points = renderPoints(terms, currencyCode)
  return {
    offerIdentifier: { asin, marketplaceId, fulfillmentType, sellerId },
    condition: splitCondition(offer.conditionType).condition,
    price: {
      listingPrice: toMoney(offer.priceMinor, currencyCode),
      shippingPrice: toMoney(offer.shippingMinor, currencyCode),
      ...(points && { points }),
    },
  }
}
