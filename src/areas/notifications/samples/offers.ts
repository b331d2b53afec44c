import { money, type Sample, sample } from './common.ts'

const { sellerId, marketplaceId, asin } = sample
const competitorId = 'A2SAMPLERIVAL'
const kind = { Condition: 'new', FulfillmentChannel: 'Merchant' }
const prices = (listing: number, shipping: number) => ({
  LandedPrice: money(listing + shipping),
  ListingPrice: money(listing),
  Shipping: money(shipping),
})

const offer = (SellerId: string, listing: number, isFeatured: boolean) => ({
  SellerId,
  SubCondition: 'new',
  SellerFeedbackRating: { FeedbackCount: 412, SellerPositiveFeedbackRating: 97 },
  ShippingTime: { MinimumHours: 24, MaximumHours: 48, AvailabilityType: 'NOW', AvailableDate: '' },
  ListingPrice: money(listing),
  Points: { PointsNumber: 0 },
  Shipping: money(0),
  ShipsFrom: { Country: 'US', State: 'OR' },
  IsFulfilledByAmazon: false,
  IsBuyBoxWinner: isFeatured,
  PrimeInformation: { IsOfferPrime: false, IsOfferNationalPrime: false },
  IsExpeditedShippingAvailable: true,
  IsFeaturedMerchant: isFeatured,
  ShipsDomestically: true,
  ShipsInternationally: false,
})

const anyOfferChanged: Sample = (now) => ({
  AnyOfferChangedNotification: {
    SellerId: sellerId,
    OfferChangeTrigger: {
      MarketplaceId: marketplaceId,
      ASIN: asin,
      ItemCondition: 'new',
      TimeOfOfferChange: now,
      OfferChangeType: 'External',
    },
    Summary: {
      NumberOfOffers: [{ ...kind, OfferCount: 2 }],
      LowestPrices: [{ ...kind, ...prices(74.5, 0) }],
      BuyBoxPrices: [{ Condition: 'new', ...prices(74.5, 0) }],
      ListPrice: money(89),
      MinimumAdvertisedPrice: money(70),
      SuggestedLowerPricePlusShipping: money(73.9),
      TotalBuyBoxEligibleOffers: 2,
      SalesRankings: [{ ProductCategoryId: 'shoes_display_on_website', Rank: 731 }],
      NumberOfBuyBoxEligibleOffers: [{ ...kind, OfferCount: 2 }],
      CompetitivePriceThreshold: money(75.2),
    },
    Offers: [offer(competitorId, 74.5, true), offer(sellerId, 79.9, false)],
  },
})

const tier = { OfferType: 'B2B', QuantityTier: 5, DiscountType: 'QUANTITY_DISCOUNT' }

const b2bAnyOfferChanged: Sample = (now) => ({
  B2BAnyOfferChangedNotification: {
    SellerId: sellerId,
    OfferChangeTrigger: { MarketplaceId: marketplaceId, ASIN: asin, ItemCondition: 'new', TimeOfOfferChange: now },
    Summary: {
      NumberOfOffers: [{ ...kind, OfferCount: 1 }],
      BuyBoxEligibleOffers: [{ ...kind, OfferCount: 1 }],
      LowestPrices: [{ ...kind, ...tier, ...prices(71, 0) }],
      BuyBoxPrices: [{ Condition: 'new', ...tier, ...prices(71, 0), SellerId: sellerId }],
    },
    Offers: [
      {
        SellerId: sellerId,
        SubCondition: 'new',
        SellerFeedbackRating: { FeedbackCount: 55, SellerPositiveFeedbackRating: 98.2 },
        ShippingTime: { MinimumHours: 24, MaximumHours: 72, AvailabilityType: 'NOW' },
        ListingPrice: money(76),
        QuantityDiscountPrice: [
          { QuantityTier: 5, QuantityDiscountType: 'QUANTITY_DISCOUNT', ListingPrice: money(71) },
        ],
        Shipping: money(0),
        ShipsFrom: { Country: 'US' },
        IsFulfilledByAmazon: false,
        PrimeInformation: { IsPrime: false, IsNationalPrime: false },
        IsBuyBoxWinner: true,
        IsFeaturedMerchant: true,
      },
    ],
  },
})

const amount = (value: number) => ({ amount: value, currencyCode: 'USD' })
const terms = (listing: number) => ({
  condition: 'new',
  landedPrice: amount(listing),
  listingPrice: amount(listing),
  shipping: amount(0),
})

const pricingHealth: Sample = (now) => ({
  issueType: 'BuyBoxDisqualification',
  sellerId,
  offerChangeTrigger: { marketplaceId, asin, itemCondition: 'new', timeOfOfferChange: now },
  merchantOffer: { ...terms(109), fulfillmentType: 'MFN' },
  summary: {
    numberOfOffers: [{ condition: 'new', fulfillmentType: 'MFN', offerCount: 3 }],
    buyBoxEligibleOffers: [{ condition: 'new', fulfillmentType: 'MFN', offerCount: 2 }],
    buyBoxPrices: [terms(81)],
    salesRankings: [{ productCategoryId: 'shoes_display_on_website', rank: 731 }],
    referencePrice: { competitivePriceThreshold: amount(84) },
  },
})

export const offerSamples: Record<string, Sample> = {
  ANY_OFFER_CHANGED: anyOfferChanged,
  B2B_ANY_OFFER_CHANGED: b2bAnyOfferChanged,
  PRICING_HEALTH: pricingHealth,
}
