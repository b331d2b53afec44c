import type { Order } from '../../marketplace/trade/order.ts'
import { findOrder } from '../../marketplace/trade/orders.ts'
import type { SellerCaller } from '../../platform/auth/caller.ts'
import type { Reader } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { oldestOrderTime } from './period.ts'

/** Returns the order without its packages. One of another seller, or one that is too old, looks missing. */
export async function requireOrder(
  reader: Reader,
  { sellerId }: SellerCaller,
  orderId: string,
  now: Date,
): Promise<Order> {
  const order = await findOrder(reader, { sellerId, orderId })
  if (order && isReadable(order, now)) return order
  throw new ApiError('NotFound', 'The order was not found.', `The seller has no order ${orderId}.`, {
    missing: { kind: 'orderId', id: orderId },
  })
}

const isReadable = ({ updatedAt, purchasedAt }: Order, now: Date) =>
  (updatedAt ?? purchasedAt) >= oldestOrderTime(now).toISOString()
