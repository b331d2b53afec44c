import type { Order } from '../../../../marketplace/trade/orders.ts'
import type { Acknowledgement, Fulfillment, OrderMessage, ShippedItem } from './order-message.ts'

/** Returns the changed order, or why the message cannot be applied. */
export function applyOrderMessage(order: Order, message: OrderMessage, now: Date): Order | { error: string } {
  return message.kind === 'fulfillment' ? ship(order, message, now) : acknowledge(order, message, now)
}

const SHIPPABLE: readonly Order['status'][] = ['Unshipped', 'PartiallyShipped', 'InvoiceUnconfirmed']

function ship(order: Order, message: Fulfillment, now: Date): Order | { error: string } {
  if (order.fulfillmentChannel !== 'MFN') return { error: 'The marketplace fulfills this order.' }
  if (!SHIPPABLE.includes(order.status)) return { error: `The order is ${order.status} and cannot be shipped.` }
  // A message without items ships the whole order.
  const shippedItems: readonly ShippedItem[] =
    message.items.length > 0 ? message.items : order.items.map(({ orderItemId }) => ({ orderItemId }))
  const items = order.items.map((item) => ({ ...item, quantityShipped: item.quantityShipped ?? 0 }))
  for (const { orderItemId, quantity } of shippedItems) {
    const item = items.find((candidate) => candidate.orderItemId === orderItemId)
    if (!item) return { error: `The order has no item ${orderItemId}.` }
    const left = item.quantity - item.quantityShipped
    if ((quantity ?? left) > left) return { error: `Only ${left} of item ${orderItemId} remain to be shipped.` }
    item.quantityShipped += quantity ?? left
  }
  const isComplete = items.every((item) => item.quantityShipped >= item.quantity)
  return {
    ...order,
    items,
    status: isComplete ? 'Shipped' : 'PartiallyShipped',
    shippedAt: message.shippedAt.toISOString(),
    updatedAt: now.toISOString(),
  }
}

function acknowledge(order: Order, { isAccepted }: Acknowledgement, now: Date): Order | { error: string } {
  if (isAccepted) return { ...order, acknowledgedAt: now.toISOString(), updatedAt: now.toISOString() }
  if (order.status !== 'Unshipped' && order.status !== 'Pending') {
    return { error: `The order is ${order.status} and can no longer be cancelled.` }
  }
  return { ...order, status: 'Canceled', updatedAt: now.toISOString() }
}
