import { findIneligibility, landedMinor } from '../../../marketplace/market/featured-offer.ts'
import { eligibleOffers, type Market, offersIn } from '../../../marketplace/market/market.ts'
import { formatMinor } from '../../../marketplace/money.ts'
import { splitCondition } from '../../../marketplace/offers/conditions.ts'
import { groupOffers, type OfferGroup } from '../../../marketplace/offers/offer-groups.ts'
import type { Offer } from '../../../marketplace/offers/offers.ts'
import { listPriceMinor, MAX_OFFERS, renderShippingTime, renderSubCondition, salesRanksOf } from '../offer-facts.ts'
import type { OfferChange } from './offer-change-event.ts'

const NO_TIME = new Date(0).toISOString()

/**
 * Renders ANY_OFFER_CHANGED without SellerId, the only field that differs between recipients, and without times: see
 * `withTime`.
 */
export function renderOfferChange(market: Market, change: Omit<OfferChange, 'occurredAt'>) {
  const { condition } = splitCondition(change.conditionType)
  return {
    OfferChangeTrigger: {
      MarketplaceId: change.marketplaceId,
      ASIN: change.asin,
      ItemCondition: condition,
      TimeOfOfferChange: NO_TIME,
      OfferChangeType: 'Internal',
    },
    Summary: renderSummary(market),
    Offers: offersIn(market, condition)
      .slice(0, MAX_OFFERS)
      .map((offer) => renderOffer(offer, market)),
  }
}

/** Fills in the times. Separate, because the content is compared with that of the last notification, whose times differ. */
export function withTime(content: ReturnType<typeof renderOfferChange>, occurredAt: Date): typeof content {
  const time = occurredAt.toISOString()
  return {
    ...content,
    OfferChangeTrigger: { ...content.OfferChangeTrigger, TimeOfOfferChange: time },
    Offers: content.Offers.map((offer) => ({ ...offer, ShippingTime: { ...offer.ShippingTime, AvailableDate: time } })),
  }
}

function renderSummary(market: Market) {
  const { offers, featured, references, currencyCode } = market
  const eligible = eligibleOffers(market)
  const [lowest] = offers
  // The public schema requires all prices. The highest offered price replaces an unknown threshold or list price.
  const highest = offers.reduce((highest, offer) => Math.max(highest, landedMinor(offer)), 0)
  const suggested = references.competitiveMinor ?? (lowest ? landedMinor(lowest) : 0)
  return {
    NumberOfOffers: groupOffers(offers).map(renderCount),
    LowestPrices: groupOffers(offers).map((group) => ({
      Condition: renderCondition(group),
      FulfillmentChannel: renderChannel(group),
      ...renderPrices(group.offers[0]),
    })),
    BuyBoxPrices: featured ? [{ Condition: 'new', ...renderPrices(featured) }] : [],
    ListPrice: toMoney(listPriceMinor(market.product, currencyCode) ?? highest, currencyCode),
    // 0, because Souk has no minimum: every price may be advertised.
    MinimumAdvertisedPrice: toMoney(0, currencyCode),
    SuggestedLowerPricePlusShipping: toMoney(suggested, currencyCode),
    TotalBuyBoxEligibleOffers: eligible.length,
    SalesRankings: salesRanksOf(market.product).map(({ category, rank }) => ({
      ProductCategoryId: category,
      Rank: rank,
    })),
    NumberOfBuyBoxEligibleOffers: groupOffers(eligible).map(renderCount),
    CompetitivePriceThreshold: toMoney(references.thresholdMinor ?? highest, currencyCode),
  }
}

const renderCondition = ({ condition }: OfferGroup) => condition.toLowerCase()
const renderChannel = ({ fulfillmentType }: OfferGroup) => (fulfillmentType === 'AFN' ? 'Amazon' : 'Merchant')

const renderCount = (group: OfferGroup) => ({
  Condition: renderCondition(group),
  FulfillmentChannel: renderChannel(group),
  OfferCount: group.offers.length,
})

const renderPrices = (offer: Offer) => ({
  LandedPrice: toMoney(landedMinor(offer), offer.currencyCode),
  ListingPrice: toMoney(offer.priceMinor, offer.currencyCode),
  Shipping: toMoney(offer.shippingMinor, offer.currencyCode),
  ...(offer.terms.points && { Points: { PointsNumber: offer.terms.points.number } }),
})

function renderOffer(offer: Offer, market: Market) {
  const { sellerId, fulfillmentType, priceMinor, shippingMinor, currencyCode, terms } = offer
  const { sellerFeedbackRating: rating, shipsFrom, prime = 'NONE' } = terms
  const { minimumHours, maximumHours } = renderShippingTime(offer)
  return {
    SellerId: sellerId,
    SubCondition: renderSubCondition(offer.conditionType),
    SellerFeedbackRating: {
      FeedbackCount: rating?.count ?? 0,
      SellerPositiveFeedbackRating: Math.round(rating?.percentPositive ?? 0),
    },
    ShippingTime: {
      MinimumHours: minimumHours,
      MaximumHours: maximumHours,
      AvailabilityType: 'NOW',
      AvailableDate: NO_TIME,
    },
    ListingPrice: toMoney(priceMinor, currencyCode),
    Points: { PointsNumber: terms.points?.number ?? 0 },
    Shipping: toMoney(shippingMinor, currencyCode),
    ShipsFrom: { Country: shipsFrom?.countryCode ?? '', State: shipsFrom?.stateOrRegion ?? '' },
    IsFulfilledByAmazon: fulfillmentType === 'AFN',
    PrimeInformation: { IsOfferPrime: prime !== 'NONE', IsOfferNationalPrime: prime === 'NATIONAL' },
    IsExpeditedShippingAvailable: false,
    IsBuyBoxWinner: offer === market.featured,
    IsFeaturedMerchant: findIneligibility(offer, market.references.thresholdMinor) === undefined,
    ShipsDomestically: true,
    ShipsInternationally: false,
  }
}

const toMoney = (minor: number, currencyCode: string) => ({
  Amount: Number(formatMinor(minor, currencyCode)),
  CurrencyCode: currencyCode,
})
