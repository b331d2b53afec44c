import { type Static, Type } from 'typebox'
import { CONDITIONS } from '../../../marketplace/offers/conditions.ts'
import { QueryList } from '../../../marketplace/schema.ts'

const MAX_ITEMS = 20
const MAX_ID_LENGTH = 1000

const Id = (description: string) => Type.String({ maxLength: MAX_ID_LENGTH, description })
const MarketplaceId = Id('Marketplace of the items')
const ItemCondition = Type.Enum(CONDITIONS)
const CustomerType = Type.Optional(Type.Enum(['Consumer', 'Business'], { description: 'Business returns no offers.' }))

const items = {
  MarketplaceId,
  ItemType: Type.Enum(['Asin', 'Sku']),
  Asins: Type.Optional(QueryList(Id('ASIN'), { minItems: 1, maxItems: MAX_ITEMS })),
  Skus: Type.Optional(QueryList(Id('Seller SKU'), { minItems: 1, maxItems: MAX_ITEMS })),
}

export const PricingQuery = Type.Object({
  ...items,
  ItemCondition: Type.Optional(ItemCondition),
  OfferType: Type.Optional(Type.Enum(['B2C', 'B2B'])),
})
export type PricingQuery = Static<typeof PricingQuery>

export const CompetitivePricingQuery = Type.Object({ ...items, CustomerType })
export type CompetitivePricingQuery = Static<typeof CompetitivePricingQuery>
export type ItemsQuery = Pick<PricingQuery, 'MarketplaceId' | 'ItemType' | 'Asins' | 'Skus'>

export const AsinParams = Type.Object({ Asin: Type.String() })
export const SkuParams = Type.Object({ SellerSKU: Type.String() })
export const OffersQuery = Type.Object({ MarketplaceId, ItemCondition, CustomerType })
export type OffersQuery = Static<typeof OffersQuery>

const OffersRequest = Type.Object({
  uri: Type.String({ maxLength: MAX_ID_LENGTH, description: 'The path of the single-item operation, without a query' }),
  method: Type.Literal('GET'),
  ...OffersQuery.properties,
})
export type OffersRequest = Static<typeof OffersRequest>

export const OffersBatch = Type.Object({
  requests: Type.Array(OffersRequest, { minItems: 1, maxItems: MAX_ITEMS }),
})
export type OffersBatch = Static<typeof OffersBatch>

const Money = Type.Object({ CurrencyCode: Type.String(), Amount: Type.Number() })
const Points = Type.Object({ PointsNumber: Type.Integer(), PointsMonetaryValue: Type.Optional(Money) })
const prices = { LandedPrice: Money, ListingPrice: Money, Shipping: Money, Points: Type.Optional(Points) }
const Prices = Type.Object(prices)
const SalesRankings = Type.Array(Type.Object({ ProductCategoryId: Type.String(), Rank: Type.Integer() }))

const OwnOffer = Type.Object({
  offerType: Type.Literal('B2C'),
  BuyingPrice: Prices,
  RegularPrice: Money,
  FulfillmentChannel: Type.Enum(['AMAZON', 'MERCHANT']),
  ItemCondition,
  ItemSubCondition: Type.String(),
  SellerSKU: Type.String(),
})

const Product = Type.Object({
  Identifiers: Type.Object({
    MarketplaceASIN: Type.Object({ MarketplaceId: Type.String(), ASIN: Type.String() }),
    SKUIdentifier: Type.Object(
      { MarketplaceId: Type.String(), SellerId: Type.String(), SellerSKU: Type.String() },
      { description: 'Empty texts if the request has ASINs' },
    ),
  }),
  Offers: Type.Optional(Type.Array(OwnOffer)),
  CompetitivePricing: Type.Optional(
    Type.Object({
      CompetitivePrices: Type.Array(
        Type.Object({
          CompetitivePriceId: Type.Literal('1'),
          Price: Prices,
          condition: ItemCondition,
          subcondition: Type.String(),
          offerType: Type.Literal('B2C'),
          sellerId: Type.String(),
          belongsToRequester: Type.Boolean(),
        }),
      ),
      NumberOfOfferListings: Type.Array(Type.Object({ Count: Type.Integer(), condition: Type.String() })),
    }),
  ),
  SalesRankings: Type.Optional(SalesRankings),
})
export type Product = Static<typeof Product>

const Price = Type.Object({
  status: Type.Enum(['Success', 'ClientError']),
  ASIN: Type.Optional(Type.String()),
  SellerSKU: Type.Optional(Type.String()),
  Product: Type.Optional(Product),
})
export type Price = Static<typeof Price>

export const PriceList = Type.Object({ payload: Type.Array(Price) })
export type PriceList = Static<typeof PriceList>

const group = { condition: Type.String(), fulfillmentChannel: Type.Enum(['Amazon', 'Merchant']) }
const Counts = Type.Array(Type.Object({ ...group, OfferCount: Type.Integer() }))

const Summary = Type.Object({
  TotalOfferCount: Type.Integer(),
  NumberOfOffers: Counts,
  LowestPrices: Type.Array(Type.Object({ ...group, ...prices })),
  BuyBoxPrices: Type.Array(Type.Object({ condition: Type.String(), ...prices, sellerId: Type.String() })),
  BuyBoxEligibleOffers: Counts,
  SalesRankings,
  ListPrice: Type.Optional(Money),
  CompetitivePriceThreshold: Type.Optional(Money),
  SuggestedLowerPricePlusShipping: Type.Optional(Money),
})

const OfferDetail = Type.Object({
  MyOffer: Type.Boolean(),
  offerType: Type.Literal('B2C'),
  SubCondition: Type.String(),
  SellerId: Type.String(),
  SellerFeedbackRating: Type.Optional(
    Type.Object({ SellerPositiveFeedbackRating: Type.Number(), FeedbackCount: Type.Integer() }),
  ),
  ShippingTime: Type.Object({
    minimumHours: Type.Integer(),
    maximumHours: Type.Integer(),
    availabilityType: Type.Literal('NOW'),
  }),
  ListingPrice: Money,
  Points: Type.Optional(Points),
  Shipping: Money,
  ShipsFrom: Type.Optional(Type.Object({ State: Type.Optional(Type.String()), Country: Type.String() })),
  IsFulfilledByAmazon: Type.Boolean(),
  PrimeInformation: Type.Object({ IsPrime: Type.Boolean(), IsNationalPrime: Type.Boolean() }),
  IsBuyBoxWinner: Type.Boolean(),
  IsFeaturedMerchant: Type.Boolean(),
})
export type OfferDetail = Static<typeof OfferDetail>

const Offers = Type.Object({
  marketplaceId: Type.String(),
  ASIN: Type.Optional(Type.String()),
  SKU: Type.Optional(Type.String()),
  ItemCondition,
  status: Type.Enum(['Success', 'NoBuyableOffers']),
  Identifier: Type.Object({
    MarketplaceId: Type.String(),
    ItemCondition,
    ASIN: Type.Optional(Type.String()),
    SellerSKU: Type.Optional(Type.String()),
  }),
  Summary,
  Offers: Type.Array(OfferDetail, { maxItems: 20 }),
})
export type Offers = Static<typeof Offers>

export const GetOffersResponse = Type.Object({ payload: Offers })
export type GetOffersResponse = Static<typeof GetOffersResponse>

const OffersResponse = Type.Object({
  headers: Type.Object({}),
  status: Type.Object({ statusCode: Type.Integer(), reasonPhrase: Type.String() }),
  request: Type.Object({
    ...OffersQuery.properties,
    Asin: Type.Optional(Type.String()),
    SellerSKU: Type.Optional(Type.String()),
  }),
  body: Type.Object({
    payload: Type.Optional(Offers),
    errors: Type.Optional(
      Type.Array(Type.Object({ code: Type.String(), message: Type.String(), details: Type.Optional(Type.String()) })),
    ),
  }),
})
export type OffersResponse = Static<typeof OffersResponse>

export const OffersBatchResult = Type.Object({ responses: Type.Array(OffersResponse) })
export type OffersBatchResult = Static<typeof OffersBatchResult>
