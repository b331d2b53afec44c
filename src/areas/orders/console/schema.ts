import { type Static, Type } from 'typebox'
import { MarketplaceId, QueryList } from '../../../marketplace/schema.ts'
import { Order } from '../../../marketplace/trade/order.ts'
import { Return, ReturnItem } from '../../../marketplace/trade/returns.ts'
import { FULFILLMENT_STATUSES } from '../v2026-01-01/fulfillment-status.ts'
import { OrderBody } from '../v2026-01-01/schema.ts'

const Time = Type.String({ format: 'date-time' })

export const ListQuery = Type.Object({
  marketplaceIds: Type.Optional(QueryList(MarketplaceId, { minItems: 1, maxItems: 50 })),
  fulfillmentStatuses: Type.Optional(QueryList(Type.Enum(FULFILLMENT_STATUSES), { minItems: 1, maxItems: 20 })),
  createdAfter: Type.Optional(Time),
  createdBefore: Type.Optional(Time),
  orderId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only this order' })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 50' })),
  pageToken: Type.Optional(
    Type.String({ maxLength: 1000, description: 'nextToken of the previous page. Send the other parameters again' }),
  ),
})
export type ListQuery = Static<typeof ListQuery>

export const OrderList = Type.Object({
  orders: Type.Array(OrderBody),
  nextToken: Type.Optional(Type.String()),
})
export type OrderList = Static<typeof OrderList>

export const OrderParams = Type.Object({ orderId: Type.String({ maxLength: 100, description: 'Order id' }) })

/** What happened to an order, which version 2026-01-01 does not show. */
export const OrderHistory = Type.Object({
  orderId: Type.String(),
  marketplaceId: Type.String(),
  status: Order.properties.status,
  purchasedAt: Time,
  updatedAt: Type.Optional(Time),
  acknowledgedAt: Type.Optional(Time),
  shippedAt: Type.Optional(Time),
  deliveredAt: Type.Optional(Time),
  cancellation: Order.properties.cancellation,
  returns: Type.Array(
    Type.Object({
      rmaId: Type.String(),
      requestedAt: Time,
      status: Return.properties.status,
      items: Type.Array(
        Type.Object({
          orderItemId: Type.String(),
          quantity: Type.Integer(),
          reasonCode: ReturnItem.properties.reasonCode,
        }),
      ),
    }),
    { description: 'Newest first, at most 100' },
  ),
  feedback: Type.Optional(
    Type.Object({
      submittedAt: Time,
      rating: Type.Integer(),
      comment: Type.String(),
      response: Type.Optional(Type.String()),
    }),
  ),
})
export type OrderHistory = Static<typeof OrderHistory>
