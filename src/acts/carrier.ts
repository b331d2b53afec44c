import type { Order } from '../marketplace/trade/order.ts'
import { canShip, ORDER_STATES } from '../marketplace/trade/order-states.ts'
import { LOCKS_ORDERS } from '../marketplace/trade/order-writer.ts'
import { invalidParameter } from '../platform/errors/api-error.ts'
import { parseTimestamp } from '../platform/timestamps.ts'
import { type ActDependencies, requireId } from './dependencies.ts'
import { putOrder, requireOrderToChange } from './orders.ts'
import type { DeliverAct } from './schema.ts'

export function createCarrierActs({ database, clock, orders, findDefaults }: ActDependencies) {
  return {
    async deliver(act: DeliverAct): Promise<Order> {
      const { orderId } = act
      const sellerId = requireId('sellerId', act, await findDefaults())
      return database.transact(async (tx) => {
        const before = await requireOrderToChange(tx, { sellerId, orderId })
        const now = clock.now()
        const deliveredAt = act.deliveredAt === undefined ? now : parseTimestamp(act.deliveredAt)
        if (deliveredAt > now) throw invalidParameter('deliveredAt', 'must not be in the future')
        if (before.deliveredAt) throw invalidParameter('orderId', `was delivered at ${before.deliveredAt}`)
        if (deliveredAt.toISOString() < before.purchasedAt) {
          throw invalidParameter('deliveredAt', 'must not be before the order was placed')
        }
        const shipped = shipFromWarehouse(before, deliveredAt)
        if (ORDER_STATES[shipped.status].shipped === 'none') {
          throw invalidParameter('orderId', `cannot be delivered: the order is ${shipped.status}`)
        }
        const after = { ...shipped, deliveredAt: deliveredAt.toISOString(), updatedAt: now.toISOString() }
        return putOrder(tx, orders, { before, after, now })
      }, LOCKS_ORDERS)
    },
  }
}

/** The marketplace ships what it holds itself. The other orders wait for their sellers. */
export function shipFromWarehouse(order: Order, shippedAt: Date): Order {
  if (order.fulfillmentChannel !== 'AFN' || !canShip(order.status)) return order
  const items = order.items.map((item) => ({ ...item, quantityShipped: item.quantity }))
  return { ...order, status: 'Shipped', items, shippedAt: order.shippedAt ?? shippedAt.toISOString() }
}
