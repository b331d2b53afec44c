import type { Order, Package } from '../../../../marketplace/trade/order.ts'
import {
  cancelOrder,
  nextPackageReferenceId,
  type OrderFailure,
  shipOrder,
  shipTimeOf,
} from '../../../../marketplace/trade/shipments.ts'
import type { Fulfillment, OrderMessage } from './order-message.ts'

/** Returns the changed order, or why the message cannot be applied. */
export function applyOrderMessage(order: Order, message: OrderMessage, now: Date): Order | OrderFailure {
  // A message without items ships the whole order.
  if (message.kind === 'fulfillment') {
    const { items, shipDate } = message
    return shipOrder(order, { items, shippedAt: shipDate === undefined ? now : shipTimeOf(order, shipDate) }, now)
  }
  if (!message.isAccepted) return cancelOrder(order, { by: 'MERCHANT' }, now)
  return { ...order, acknowledgedAt: now.toISOString(), updatedAt: now.toISOString() }
}

/** The package of a shipment, if the message names its carrier. */
export function packageOf(
  { carrier }: Fulfillment,
  before: Order,
  after: Order,
  packages: readonly Package[],
): Package | undefined {
  if (!carrier || !after.shippedAt) return undefined
  const items = after.items.flatMap(({ orderItemId, quantityShipped = 0 }, index) => {
    const quantity = quantityShipped - (before.items[index]?.quantityShipped ?? 0)
    return quantity > 0 ? [{ orderItemId, quantity }] : []
  })
  if (items.length === 0) return undefined
  return {
    packageReferenceId: nextPackageReferenceId(packages),
    ...carrier,
    shippedAt: after.shippedAt,
    items,
  }
}
