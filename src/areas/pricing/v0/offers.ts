import {
  eligibleOffers,
  findIneligibility,
  groupOffers,
  type Market,
  type OfferGroup,
  offersIn,
} from '../../../marketplace/market/index.ts'
import type { Offer } from '../../../marketplace/offers/offers.ts'
import { listPriceMinor, MAX_OFFERS, renderShippingTime, renderSubCondition, salesRanksOf } from '../offer-facts.ts'
import { renderPoints, renderPrices, toMoney } from './money.ts'
import type { OfferDetail, Offers, OffersQuery } from './schema.ts'

/** The id in the request, which the response repeats. */
export type ItemId = { ASIN: string } | { SellerSKU: string }

/** Renders the offers of one condition, with a summary of the whole market. */
export function renderOffers(market: Market, query: OffersQuery, itemId: ItemId, sellerId: string): Offers {
  const { MarketplaceId, ItemCondition, CustomerType } = query
  // Souk has no business offers.
  const visible = CustomerType === 'Business' ? { ...market, offers: [], featured: undefined } : market
  const offers = offersIn(visible, ItemCondition).slice(0, MAX_OFFERS)
  return {
    marketplaceId: MarketplaceId,
    ...('ASIN' in itemId ? { ASIN: itemId.ASIN } : { SKU: itemId.SellerSKU }),
    ItemCondition,
    status: offers.length > 0 ? 'Success' : 'NoBuyableOffers',
    Identifier: { MarketplaceId, ItemCondition, ...itemId },
    Summary: renderSummary(visible),
    Offers: offers.map((offer) => renderOffer(offer, visible, sellerId)),
  }
}

export const renderSalesRanks = ({ product }: Market) =>
  salesRanksOf(product).map(({ category, rank }) => ({ ProductCategoryId: category, Rank: rank }))

function renderSummary(market: Market): Offers['Summary'] {
  const { offers, featured, references, product, currencyCode } = market
  const money = (name: string, minor: number | undefined) =>
    minor === undefined ? {} : { [name]: toMoney(minor, currencyCode) }
  return {
    TotalOfferCount: offers.length,
    NumberOfOffers: groupOffers(offers).map(renderCount),
    LowestPrices: groupOffers(offers).map((group) => ({ ...renderGroup(group), ...renderPrices(group.offers[0]) })),
    BuyBoxPrices: featured ? [{ condition: 'new', ...renderPrices(featured), sellerId: featured.sellerId }] : [],
    BuyBoxEligibleOffers: groupOffers(eligibleOffers(market)).map(renderCount),
    SalesRankings: renderSalesRanks(market),
    ...money('ListPrice', listPriceMinor(product, currencyCode)),
    ...money('CompetitivePriceThreshold', references.thresholdMinor),
    ...money('SuggestedLowerPricePlusShipping', references.competitiveMinor),
  }
}

const renderGroup = ({ condition, fulfillmentType }: OfferGroup) => ({
  condition: condition.toLowerCase(),
  fulfillmentChannel: fulfillmentType === 'AFN' ? ('Amazon' as const) : ('Merchant' as const),
})

const renderCount = (group: OfferGroup) => ({ ...renderGroup(group), OfferCount: group.offers.length })

function renderOffer(offer: Offer, market: Market, sellerId: string): OfferDetail {
  const { conditionType, fulfillmentType, priceMinor, shippingMinor, currencyCode, terms } = offer
  const { sellerFeedbackRating: rating, shipsFrom, prime = 'NONE' } = terms
  return {
    MyOffer: offer.sellerId === sellerId,
    offerType: 'B2C',
    SubCondition: renderSubCondition(conditionType),
    SellerId: offer.sellerId,
    ...(rating && {
      SellerFeedbackRating: { SellerPositiveFeedbackRating: rating.percentPositive, FeedbackCount: rating.count },
    }),
    ShippingTime: renderShippingTime(offer),
    ListingPrice: toMoney(priceMinor, currencyCode),
    ...renderPoints(offer),
    Shipping: toMoney(shippingMinor, currencyCode),
    ...(shipsFrom && {
      ShipsFrom: {
        ...(shipsFrom.stateOrRegion !== undefined && { State: shipsFrom.stateOrRegion }),
        Country: shipsFrom.countryCode,
      },
    }),
    IsFulfilledByAmazon: fulfillmentType === 'AFN',
    PrimeInformation: { IsPrime: prime !== 'NONE', IsNationalPrime: prime === 'NATIONAL' },
    IsBuyBoxWinner: offer === market.featured,
    IsFeaturedMerchant: !findIneligibility(offer, market.references.thresholdMinor),
  }
}
