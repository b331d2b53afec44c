import type { Order } from '../../../../marketplace/trade/orders.ts'
import type { Acknowledgement, Fulfillment, OrderMessage, ShippedItem } from './order-message.ts'

/** The order after what the seller told, or why that cannot be. */
export function applyToOrder(order: Order, message: OrderMessage, now: Date): Order | { fault: string } {
  return message.kind === 'fulfillment' ? ship(order, message, now) : acknowledge(order, message, now)
}

const SHIPPABLE: readonly Order['status'][] = ['Unshipped', 'PartiallyShipped', 'InvoiceUnconfirmed']

function ship(order: Order, message: Fulfillment, now: Date): Order | { fault: string } {
  if (order.fulfillmentChannel !== 'MFN') return { fault: 'The marketplace itself ships this order.' }
  if (!SHIPPABLE.includes(order.status)) return { fault: `The order is ${order.status} and cannot be shipped.` }
  // Without items it is the whole order that was sent.
  const sent: readonly ShippedItem[] =
    message.items.length > 0 ? message.items : order.items.map(({ orderItemId }) => ({ orderItemId }))
  const items = order.items.map((item) => ({ ...item, quantityShipped: item.quantityShipped ?? 0 }))
  for (const { orderItemId, quantity } of sent) {
    const item = items.find((one) => one.orderItemId === orderItemId)
    if (!item) return { fault: `The order has no item ${orderItemId}.` }
    const left = item.quantity - item.quantityShipped
    if ((quantity ?? left) > left) return { fault: `Of the item ${orderItemId} only ${left} are left to be shipped.` }
    item.quantityShipped += quantity ?? left
  }
  const isWhole = items.every((item) => item.quantityShipped >= item.quantity)
  return {
    ...order,
    items,
    status: isWhole ? 'Shipped' : 'PartiallyShipped',
    shippedAt: message.shippedAt.toISOString(),
    updatedAt: now.toISOString(),
  }
}

function acknowledge(order: Order, { isAccepted }: Acknowledgement, now: Date): Order | { fault: string } {
  if (isAccepted) return { ...order, acknowledgedAt: now.toISOString(), updatedAt: now.toISOString() }
  if (order.status !== 'Unshipped' && order.status !== 'Pending') {
    return { fault: `The order is ${order.status} and cannot be cancelled any more.` }
  }
  return { ...order, status: 'Canceled', updatedAt: now.toISOString() }
}
