import { newFeedback, newReturn, shipFromWarehouse } from '../../acts/index.ts'
import { type Feedback, upsertFeedback } from '../../marketplace/trade/feedback.ts'
import type { Order, Package } from '../../marketplace/trade/order.ts'
import { ORDER_STATES } from '../../marketplace/trade/order-states.ts'
import type { OrderWriter } from '../../marketplace/trade/order-writer.ts'
import { findOrders, type OrderChange, orderKey } from '../../marketplace/trade/orders.ts'
import { findReturnViolations } from '../../marketplace/trade/return-rules.ts'
import { type Return, upsertReturns } from '../../marketplace/trade/returns.ts'
import { cancelOrder, shipPackage } from '../../marketplace/trade/shipments.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { MarketView } from './market-view.ts'
import type { Plan, Planner } from './plans.ts'
import type { LifeCounts } from './public.ts'
import { Random } from './random.ts'

const MAX_WAIT_FOR_SELLER_MILLISECONDS = 30 * 24 * 60 * 60 * 1000
const CARRIERS = ['UPS', 'USPS', 'FedEx'] as const
const CANCEL_REASONS = ['Ordered by mistake.', 'Found it cheaper.', 'Takes too long.'] as const
const RETURN_REASONS = ['CR-UNWANTED_ITEM', 'CR-DEFECTIVE', 'AMZ-PG-APP-TOO-SMALL', 'AMZ-PG-APP-TOO-LARGE'] as const
const RATINGS = [
  { rating: 5, weight: 60 },
  { rating: 4, weight: 20 },
  { rating: 3, weight: 9 },
  { rating: 2, weight: 5 },
  { rating: 1, weight: 6 },
] as const

export interface OrderActContext {
  orders: OrderWriter
  planner: Planner
  view: MarketView
  seed: number
  counts: LifeCounts
}

/** Performs what was planned for orders. Returns what follows from it. */
export async function actOnOrders(
  tx: Transaction,
  plans: readonly Plan[],
  { orders: writer, planner, view, seed, counts }: OrderActContext,
  now: Date,
): Promise<Plan[]> {
  if (plans.length === 0) return []
  const keys = plans.map(({ sellerId, subject }) => ({ sellerId, orderId: subject }))
  const stored = new Map((await findOrders(tx, keys)).map((order) => [orderKey(order), order]))
  const changes = new Map<string, OrderChange & { packages: Package[] }>()
  const returns: Return[] = []
  const feedback: Feedback[] = []
  const following: Plan[] = []

  for (const plan of plans) {
    const key = orderKey({ sellerId: plan.sellerId, orderId: plan.subject })
    const order = changes.get(key)?.after ?? stored.get(key)
    // The operator may have changed what buyers and sellers would have done.
    if (order) act(plan, order, key)
  }
  await writer.update(tx, [...changes.values()], now)
  const impossible = new Set((await findReturnViolations(tx, returns, stored)).map(({ index }) => index))
  const possible = returns.filter((_, index) => !impossible.has(index))
  await upsertReturns(tx, possible)
  if (feedback.length > 0) await upsertFeedback(tx, feedback)
  counts.returns += possible.length
  counts.feedback += feedback.length
  return following

  function act(plan: Plan, order: Order, key: string): void {
    const random = Random.of(seed, plan.act, order.orderId)
    if (plan.act === 'CANCEL') {
      const after = cancelOrder(order, { by: 'BUYER', reason: random.pick(CANCEL_REASONS) }, now)
      if ('error' in after) return
      change(key, order, after)
      counts.cancellations++
      for (const { asin } of order.items) view.change({ marketplaceId: order.marketplaceId, asin })
    } else if (plan.act === 'SHIP') {
      if (ship(order, key, random)) counts.shipments++
      if (order.status !== 'Canceled') following.push(planner.afterShipment(order, now))
    } else if (plan.act === 'DELIVER') {
      deliver(plan, order, key)
    } else if (plan.act === 'RETURN') {
      const items = order.items.map(({ orderItemId, quantity }) => ({ orderItemId, quantity }))
      const rmaId = `D${order.orderId.replaceAll('-', '')}R`
      returns.push(newReturn(order, { rmaId, items, reasonCode: random.pick(RETURN_REASONS) }, now))
    } else if (plan.act === 'RATE') {
      const { rating = 5 } = random.pickWeighted(RATINGS, ({ weight }) => weight) ?? {}
      feedback.push(newFeedback(order, { rating }, now))
    }
  }

  function change(key: string, before: Order, after: Order, packages: readonly Package[] = []): void {
    const known = changes.get(key)
    if (known) {
      known.after = after
      known.packages.push(...packages)
    } else changes.set(key, { before, after, packages: [...packages] })
  }

  /** Ships an order that its seller has not shipped. Returns false if there is nothing to ship. */
  function ship(order: Order, key: string, random: Random): boolean {
    if (order.status !== 'Unshipped') return false
    if (order.fulfillmentChannel === 'AFN') {
      change(key, order, { ...shipFromWarehouse(order, now), updatedAt: now.toISOString() })
      return true
    }
    const one: Package = {
      packageReferenceId: '1',
      carrierCode: random.pick(CARRIERS),
      shippingMethod: 'Ground',
      trackingNumber: `1Z${order.orderId.replaceAll('-', '')}`,
      shippedAt: now.toISOString(),
      items: order.items.map(({ orderItemId, quantity }) => ({ orderItemId, quantity })),
    }
    const shipped = shipPackage(order, [], one, now)
    if ('error' in shipped) return false
    change(key, order, shipped.order, [shipped.package])
    return true
  }

  function deliver(plan: Plan, order: Order, key: string): void {
    const { shipped, isSale } = ORDER_STATES[order.status]
    if (order.deliveredAt || !isSale) return
    if (shipped !== 'all') {
      const waitsSince = now.getTime() - new Date(order.purchasedAt).getTime()
      if (waitsSince < MAX_WAIT_FOR_SELLER_MILLISECONDS) following.push(planner.postpone(plan, now))
      return
    }
    change(key, order, { ...order, deliveredAt: now.toISOString(), updatedAt: now.toISOString() })
    counts.deliveries++
    following.push(...planner.afterDelivery(order, now))
  }
}
