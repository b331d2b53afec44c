import type { Order, Package } from '../../../../marketplace/trade/order.ts'
import {
  cancelOrder,
  nextPackageReferenceId,
  type OrderFailure,
  shipOrder,
} from '../../../../marketplace/trade/shipments.ts'
import type { Fulfillment, OrderMessage } from './order-message.ts'

/** Returns the changed order, or why the message cannot be applied. */
export function applyOrderMessage(order: Order, message: OrderMessage, now: Date): Order | OrderFailure {
  // A message without items ships the whole order.
  if (message.kind === 'fulfillment') return shipOrder(order, message, now)
  if (!message.isAccepted) return cancelOrder(order, { by: 'MERCHANT' }, now)
  return { ...order, acknowledgedAt: now.toISOString(), updatedAt: now.toISOString() }
}

/** The package of a shipment, if the message names its carrier. */
export function packageOf(
  { carrier, shippedAt }: Fulfillment,
  before: Order,
  after: Order,
  packages: readonly Package[],
): Package | undefined {
  if (!carrier) return undefined
  const items = after.items.flatMap(({ orderItemId, quantityShipped = 0 }, index) => {
    const quantity = quantityShipped - (before.items[index]?.quantityShipped ?? 0)
    return quantity > 0 ? [{ orderItemId, quantity }] : []
  })
  if (items.length === 0) return undefined
  return {
    packageReferenceId: nextPackageReferenceId(packages),
    ...carrier,
    shippedAt: shippedAt.toISOString(),
    items,
  }
}
