import { type Static, Type } from 'typebox'
import { CRITERION_NAMES, INELIGIBILITIES } from '../../../marketplace/market/index.ts'
import { CONDITIONS, SUB_CONDITIONS } from '../../../marketplace/offers/conditions.ts'
import { Nullable } from '../../../marketplace/schema.ts'
import { FulfillmentType, Money, PrimeEligibility } from '../schema.ts'

/** Of other sellers, by their place in the list. The seller's own offers are always in it. */
export const MAX_OFFERS = 100

export const ProductParams = Type.Object({ asin: Type.String({ maxLength: 100, description: 'ASIN' }) })
export const MarketplaceQuery = Type.Object({
  marketplaceId: Type.String({ maxLength: 100, description: 'Marketplace of the product' }),
})

const references = {
  wasPrice: Type.Optional(Type.Object(Money.properties, { description: 'The median featured price of 90 days' })),
  thresholdPrice: Type.Optional(Type.Object(Money.properties, { description: 'Offers above it are not featured' })),
  competitivePrice: Type.Optional(
    Type.Object(Money.properties, { description: 'The lowest landed price of an offer that could be featured' }),
  ),
}

const product = { asin: Type.String(), marketplaceId: Type.String(), currencyCode: Type.String() }
const FeaturedPrice = Nullable(Money)
const Day = Type.String({ description: 'A day in UTC: 2026-06-01' })

export const HISTORY_EVENTS = ['FIRST_KNOWN', 'RAISED', 'LOWERED', 'NOT_FEATURED', 'FEATURED_AGAIN'] as const

export const ProductPriceHistory = Type.Object({
  ...product,
  ...references,
  lowestPrice: Type.Optional(
    Type.Object(Money.properties, {
      description: 'The lowest landed price of all offers now, whatever their condition',
    }),
  ),
  days: Type.Array(Type.Object({ date: Day, featuredPrice: FeaturedPrice }), {
    maxItems: 91,
    description:
      'The landed price of the featured offer at the end of each day, oldest first, with today as it is now. Null if none was featured.',
  }),
  events: Type.Array(Type.Object({ date: Day, kind: Type.Enum(HISTORY_EVENTS), featuredPrice: FeaturedPrice }), {
    maxItems: 91,
    description: 'The days on which the featured price changed, oldest first',
  }),
})
export type ProductPriceHistory = Static<typeof ProductPriceHistory>

const Offer = Type.Object({
  sellerId: Type.String(),
  isOwn: Type.Boolean(),
  sku: Type.Optional(Type.String({ description: "Of the seller's own offers" })),
  condition: Type.Enum(CONDITIONS),
  subCondition: Type.Enum(SUB_CONDITIONS),
  fulfillmentType: FulfillmentType,
  listingPrice: Money,
  shippingPrice: Money,
  landedPrice: Type.Object(Money.properties, { description: 'Price and shipping, less the value of points' }),
  prime: PrimeEligibility,
  feedback: Type.Optional(Type.Object({ percentPositive: Type.Number(), count: Type.Integer() })),
  isFeatured: Type.Boolean(),
  isEligible: Type.Boolean({ description: 'Whether it could be featured' }),
  ineligibility: Type.Optional(
    Type.Enum(['PRODUCT', ...INELIGIBILITIES], {
      description:
        'PRODUCT: no offer of the product can be featured. CONDITION: not new. SELLER_RATING: less than 80 % positive ' +
        'ratings. PRICE: above the threshold.',
    }),
  ),
  rank: Type.Optional(Type.Integer({ description: 'Among eligible offers. 1 is featured.' })),
  bonuses: Type.Object(
    {
      fulfilledByMarketplacePercent: Type.Number(),
      primePercent: Type.Number(),
      excellentSellerPercent: Type.Number(),
    },
    { description: 'By how much less than its landed price the offer counts' },
  ),
  priceAfterBonuses: Type.Object(Money.properties, { description: 'The price by which eligible offers are ranked' }),
  lostBy: Type.Optional(
    Type.Enum(CRITERION_NAMES, { description: 'What decides between this eligible offer and the featured one' }),
  ),
  reason: Type.String({ description: 'Why the offer is or is not featured, in a sentence' }),
})
export type ConsoleOffer = Static<typeof Offer>

export const ProductOffers = Type.Object({
  ...product,
  ...references,
  offerCount: Type.Integer(),
  offers: Type.Array(Offer, {
    description: "Eligible offers by rank, then the others by landed price. At most 100, and the seller's own.",
  }),
})
export type ProductOffers = Static<typeof ProductOffers>
