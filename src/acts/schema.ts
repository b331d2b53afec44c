import { type Static, Type } from 'typebox'
import { CONDITION_TYPES } from '../marketplace/offers/conditions.ts'
import { OfferTerms } from '../marketplace/offers/offers.ts'
import { Asin, DateTime, MarketplaceId, OrderId, SellerId, Sku, strict } from '../marketplace/schema.ts'
import { Feedback } from '../marketplace/trade/feedback.ts'
import { Order, OrderItemId } from '../marketplace/trade/order.ts'
import { Return, ReturnItem } from '../marketplace/trade/returns.ts'

const Quantity = Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Default: 1' })
const ofSeller = {
  sellerId: Type.Optional({ ...SellerId, description: 'Default in `souk dev`: the demo seller' }),
}
const inMarketplace = {
  marketplaceId: Type.Optional({ ...MarketplaceId, description: 'Default in `souk dev`: the demo marketplace' }),
}
const ofOrder = { ...ofSeller, orderId: OrderId }

export const OrderAct = Type.Object(
  {
    ...ofSeller,
    marketplaceId: Type.Optional({ ...MarketplaceId, description: 'Default: where the seller lists the SKU' }),
    orderId: Type.Optional({ ...OrderId, description: 'Default: a new id' }),
    sku: Type.Optional(Sku),
    quantity: Type.Optional(Quantity),
    items: Type.Optional(
      Type.Array(Type.Object({ sku: Sku, quantity: Type.Optional(Quantity) }, strict), {
        minItems: 1,
        maxItems: 100,
        description: 'Instead of `sku` and `quantity`',
      }),
    ),
    status: Type.Optional(Type.Enum(['Pending', 'Unshipped'], { description: 'Default: Unshipped' })),
    buyer: Order.properties.buyer,
    shipTo: Order.properties.shipTo,
    shipServiceLevel: Order.properties.shipServiceLevel,
    isPrime: Order.properties.isPrime,
    isBusinessOrder: Order.properties.isBusinessOrder,
    buyerAcceptsRequests: Order.properties.buyerAcceptsRequests,
  },
  strict,
)
export type OrderAct = Static<typeof OrderAct>

export const CancelAct = Type.Object(
  {
    ...ofOrder,
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    isRequest: Type.Optional(
      Type.Boolean({ description: 'Only ask the seller to cancel. The order stays open. Default: false' }),
    ),
  },
  strict,
)
export type CancelAct = Static<typeof CancelAct>

export const DeliverAct = Type.Object(
  { ...ofOrder, deliveredAt: Type.Optional({ ...DateTime, description: 'Default: now' }) },
  strict,
)
export type DeliverAct = Static<typeof DeliverAct>

export const ReturnAct = Type.Object(
  {
    ...ofOrder,
    rmaId: Type.Optional({ ...Return.properties.rmaId, description: 'Default: a new id' }),
    status: Type.Optional({ ...Return.properties.status, description: 'Default: Approved' }),
    reasonCode: Type.Optional({ ...ReturnItem.properties.reasonCode, description: 'Default: CR-UNWANTED_ITEM' }),
    items: Type.Optional(
      Type.Array(Type.Object({ orderItemId: OrderItemId, quantity: ReturnItem.properties.quantity }, strict), {
        minItems: 1,
        maxItems: 100,
        description: 'Default: all shipped pieces that are not returned yet',
      }),
    ),
    aToZClaim: Return.properties.aToZClaim,
  },
  strict,
)
export type ReturnAct = Static<typeof ReturnAct>

export const FeedbackAct = Type.Object(
  {
    ...ofOrder,
    rating: Type.Optional({ ...Feedback.properties.rating, description: 'Default: 5' }),
    comment: Type.Optional({ ...Feedback.properties.comment, description: 'Default: a text that fits the rating' }),
  },
  strict,
)
export type FeedbackAct = Static<typeof FeedbackAct>

const Price = Type.Number({
  minimum: 0,
  maximum: 1e10,
  description: "An amount in the marketplace's currency: 59.9",
})
const CompetitorSku = Type.Optional({ ...Sku, description: 'Needed where a competitor has several offers' })
const ofProduct = { ...inMarketplace, asin: Asin }

export const SetPriceAct = Type.Object(
  {
    ...ofProduct,
    sellerId: Type.Optional({ ...SellerId, description: 'Default: the competitor with the best offer' }),
    sku: CompetitorSku,
    price: Price,
    shipping: Type.Optional({ ...Price, description: 'Default: as it is' }),
  },
  strict,
)
export type SetPriceAct = Static<typeof SetPriceAct>

export const JoinAct = Type.Object(
  {
    ...ofProduct,
    sellerId: Type.Optional({ ...SellerId, description: 'Default: a new competitor' }),
    sku: Type.Optional({ ...Sku, description: 'Default: -' }),
    price: Type.Optional({ ...Price, description: 'Default: the lowest price of the product' }),
    shipping: Type.Optional({ ...Price, description: 'Default: 0' }),
    conditionType: Type.Optional(Type.Enum(CONDITION_TYPES, { description: 'Default: new_new' })),
    fulfillmentType: Type.Optional(Type.Enum(['AFN', 'MFN'], { description: 'Default: MFN' })),
    quantity: Type.Optional({ ...Quantity, description: 'Default: 10' }),
    terms: Type.Optional(OfferTerms),
  },
  strict,
)
export type JoinAct = Static<typeof JoinAct>

export const LeaveAct = Type.Object(
  {
    ...ofProduct,
    sellerId: Type.Optional({ ...SellerId, description: 'Default: the competitor with the best offer' }),
    sku: Type.Optional({ ...Sku, description: 'Default: all offers of the competitor' }),
  },
  strict,
)
export type LeaveAct = Static<typeof LeaveAct>
