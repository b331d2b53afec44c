import { type Static, type TSchema, Type } from 'typebox'
import { CONDITIONS, SUB_CONDITIONS } from '../../marketplace/offers/conditions.ts'

export const SUMMARY_URI = '/products/pricing/2022-05-01/items/competitiveSummary'
export const EXPECTED_PRICE_URI = '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice'

const INCLUDED_DATA = ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers', 'similarItems'] as const
const MAX_SUMMARIES = 20
const MAX_INPUTS = 5
const MAX_EXPECTED_PRICES = 40
const MAX_ID_LENGTH = 1000

const Id = (description: string) => Type.String({ maxLength: MAX_ID_LENGTH, description })
const ItemCondition = Type.Enum(CONDITIONS)

const LowestPricedOffersInput = Type.Object({
  itemCondition: Type.Optional(Type.Enum(CONDITIONS, { default: 'New' })),
  offerType: Type.Optional(Type.Enum(['Consumer'], { default: 'Consumer' })),
})

const SummaryRequest = Type.Object({
  asin: Id('ASIN. An unknown ASIN fails only its own element.'),
  marketplaceId: Id('Marketplace of the product'),
  includedData: Type.Array(Type.Enum(INCLUDED_DATA), { minItems: 1 }),
  lowestPricedOffersInputs: Type.Optional(
    Type.Array(LowestPricedOffersInput, {
      maxItems: MAX_INPUTS,
      description: 'Conditions of lowestPricedOffers. Default: New',
    }),
  ),
  method: Type.Literal('GET'),
  uri: Type.Literal(SUMMARY_URI),
})
export type SummaryRequest = Static<typeof SummaryRequest>

export const SummaryBatch = Type.Object({
  requests: Type.Array(SummaryRequest, { minItems: 1, maxItems: MAX_SUMMARIES }),
})
export type SummaryBatch = Static<typeof SummaryBatch>

export const Money = Type.Object({ amount: Type.Number(), currencyCode: Type.String() })
const Points = Type.Object({ pointsNumber: Type.Integer(), pointsMonetaryValue: Type.Optional(Money) })
export const FulfillmentType = Type.Enum(['AFN', 'MFN'])
export const PrimeEligibility = Type.Enum(['NATIONAL', 'REGIONAL', 'NONE'])

const Promotion = Type.Object({
  promotionType: Type.Enum(['COUPON', 'DEAL', 'BASKET_BUILDING']),
  promotionSavings: Type.Object({
    discount: Type.Optional(
      Type.Object({
        type: Type.Enum(['AMOUNT_OFF', 'PERCENTAGE_OFF']),
        amountOff: Type.Optional(Money),
        percentOff: Type.Optional(Type.Number()),
      }),
    ),
    discountedPrice: Type.Optional(Money),
  }),
})

const offer = {
  sellerId: Type.String(),
  condition: ItemCondition,
  subCondition: Type.Enum(SUB_CONDITIONS),
  fulfillmentType: FulfillmentType,
  listingPrice: Money,
  shippingOptions: Type.Array(Type.Object({ shippingOptionType: Type.Literal('DEFAULT'), price: Money })),
  points: Type.Optional(Points),
  primeDetails: Type.Object({ eligibility: PrimeEligibility }),
  promotions: Type.Optional(Type.Array(Promotion)),
}

const FeaturedOffer = Type.Object({
  ...offer,
  featuredOfferSegments: Type.Array(
    Type.Object({
      customerMembership: Type.Enum(['PRIME', 'NON_PRIME', 'DEFAULT']),
      segmentDetails: Type.Object({ glanceViewWeightPercentage: Type.Optional(Type.Number()) }),
    }),
  ),
})

const Status = Type.Object({ statusCode: Type.Integer(), reasonPhrase: Type.String() })
const ElementErrors = Type.Array(
  Type.Object({ code: Type.String(), message: Type.String(), details: Type.Optional(Type.String()) }),
)
const set = <Item extends TSchema>(item: Item) => Type.Optional(Type.Array(item))

export const SummaryBatchResult = Type.Object({
  responses: Type.Array(
    Type.Object({
      status: Status,
      body: Type.Object({
        asin: Type.String(),
        marketplaceId: Type.String(),
        featuredBuyingOptions: set(
          Type.Object({
            buyingOptionType: Type.Literal('New'),
            segmentedFeaturedOffers: Type.Array(FeaturedOffer, { minItems: 1 }),
          }),
        ),
        referencePrices: set(
          Type.Object({
            name: Type.Enum(['CompetitivePriceThreshold', 'CompetitivePrice', 'WasPrice']),
            price: Money,
          }),
        ),
        lowestPricedOffers: set(
          Type.Object({
            lowestPricedOffersInput: Type.Object({ itemCondition: ItemCondition, offerType: Type.Literal('Consumer') }),
            offers: Type.Array(Type.Object(offer), { maxItems: 20, description: 'Lowest landed price first' }),
          }),
        ),
        similarItems: set(Type.Object({ items: Type.Array(Type.Object({ asin: Type.String() })) })),
        errors: Type.Optional(ElementErrors),
      }),
    }),
  ),
})
export type SummaryBatchResult = Static<typeof SummaryBatchResult>

const Segment = Type.Unknown({ description: 'Ignored: all customers see the same offer.' })

const ExpectedPriceRequest = Type.Object({
  marketplaceId: Id('Marketplace of the product'),
  sku: Id("SKU of the seller's listing. An unknown SKU fails only its own element."),
  segment: Type.Optional(Segment),
  method: Type.Literal('GET'),
  uri: Type.Literal(EXPECTED_PRICE_URI),
})
export type ExpectedPriceRequest = Static<typeof ExpectedPriceRequest>

export const ExpectedPriceBatch = Type.Object({
  requests: Type.Array(ExpectedPriceRequest, { minItems: 1, maxItems: MAX_EXPECTED_PRICES }),
})
export type ExpectedPriceBatch = Static<typeof ExpectedPriceBatch>

export const RESULT_STATUSES = [
  'VALID_FOEP',
  'NO_COMPETING_OFFER',
  'OFFER_NOT_ELIGIBLE',
  'OFFER_NOT_FOUND',
  'ASIN_NOT_ELIGIBLE',
] as const

const OfferIdentifier = Type.Object({
  asin: Type.String(),
  sku: Type.Optional(Type.String()),
  marketplaceId: Type.String(),
  fulfillmentType: Type.Optional(FulfillmentType),
  sellerId: Type.String(),
})

const CompetingOffer = Type.Object({
  offerIdentifier: OfferIdentifier,
  condition: ItemCondition,
  price: Type.Object({ listingPrice: Money, shippingPrice: Money, points: Type.Optional(Points) }),
})
export type CompetingOffer = Static<typeof CompetingOffer>

const ExpectedPriceResult = Type.Object({
  resultStatus: Type.Enum(RESULT_STATUSES),
  featuredOfferExpectedPrice: Type.Optional(Type.Object({ listingPrice: Money, points: Type.Optional(Points) })),
  competingFeaturedOffer: Type.Optional(CompetingOffer),
  currentFeaturedOffer: Type.Optional(CompetingOffer),
})
export type ExpectedPriceResult = Static<typeof ExpectedPriceResult>

const ExpectedPriceResponse = Type.Object({
  request: Type.Object({
    marketplaceId: Type.String(),
    sku: Type.String(),
    segment: Type.Optional(Segment),
  }),
  status: Status,
  headers: Type.Object({}),
  body: Type.Object({
    offerIdentifier: Type.Optional(OfferIdentifier),
    featuredOfferExpectedPriceResults: Type.Optional(Type.Array(ExpectedPriceResult)),
    errors: Type.Optional(ElementErrors),
  }),
})
export type ExpectedPriceResponse = Static<typeof ExpectedPriceResponse>

export const ExpectedPriceBatchResult = Type.Object({ responses: Type.Array(ExpectedPriceResponse) })
export type ExpectedPriceBatchResult = Static<typeof ExpectedPriceBatchResult>
