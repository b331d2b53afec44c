import type { Order } from '../../marketplace/trade/order.ts'
import { findOrder, findOrderAndChannel, findOrderToChange, type OrderParts } from '../../marketplace/trade/orders.ts'
import type { SellerCaller } from '../../platform/auth/caller.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { oldestOrderTime } from './period.ts'

/** An order of another seller, or one that is too old, looks missing. */
export async function requireOrder(
  reader: Reader,
  { sellerId }: SellerCaller,
  orderId: string,
  now: Date,
  parts?: OrderParts,
): Promise<Order> {
  const order = await findOrder(reader, { sellerId, orderId }, parts)
  if (order && isReadable(order, now)) return order
  throw notFound(orderId)
}

/** The same for a transaction that changes the order, which is locked, and dated after that. */
export async function requireOrderToChange(
  tx: Transaction,
  { sellerId }: SellerCaller,
  orderId: string,
  clock: Clock,
): Promise<{ order: Order; now: Date }> {
  const order = await findOrderToChange(tx, { sellerId, orderId })
  const now = clock.now()
  if (order && isReadable(order, now)) return { order, now }
  throw notFound(orderId)
}

/** The same, with the name of the marketplace where the order was placed. */
export async function requireOrderAndChannel(
  reader: Reader,
  { sellerId }: SellerCaller,
  orderId: string,
  now: Date,
): Promise<{ order: Order; salesChannel: string }> {
  const found = await findOrderAndChannel(reader, { sellerId, orderId })
  if (found && isReadable(found.order, now)) return found
  throw notFound(orderId)
}

const notFound = (orderId: string) =>
  new ApiError('NotFound', 'The order was not found.', `The seller has no order ${orderId}.`, {
    missing: { kind: 'orderId', id: orderId },
  })

let oldest = { now: Number.NaN, time: '' }

/** Requests arrive in groups, so most have the time of the one before. */
function isReadable({ updatedAt, purchasedAt }: Order, now: Date): boolean {
  if (oldest.now !== now.getTime()) oldest = { now: now.getTime(), time: oldestOrderTime(now).toISOString() }
  return (updatedAt ?? purchasedAt) >= oldest.time
}
