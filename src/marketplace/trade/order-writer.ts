import type { Transaction, TransactionOptions } from '../../platform/database/port.ts'
import { type Order, orderKey } from './order.ts'
import { toStoredOrder } from './order-rows.ts'
import { findContradictions, ORDER_STATES } from './order-states.ts'
import { type MoveStock, moveOrderStock, writeTaken } from './order-stock.ts'
import { type OrderViolation, OrderWriteError } from './order-write-error.ts'
import {
  findOrders,
  insertOrders,
  type OnOrdersChanged,
  type OrderChange,
  updateOrders,
  upsertOrders,
} from './orders.ts'
import { findPackageContradictions } from './packages.ts'

export { type OrderViolation, OrderWriteError } from './order-write-error.ts'

export type OrderWriter = ReturnType<typeof createOrderWriter>

/**
 * A transaction that changes orders reads them with `findOrderToChange` or `findOrdersToChange`, and creates them by their
 * primary key. It locks the listings whose stock it moves, so it needs to see no more than what is committed.
 */
export const LOCKS_ORDERS: TransactionOptions = { isolation: 'read committed' }

/**
 * Every change of an order goes through this writer: it writes the order, moves the stock of its listings and publishes
 * the change, in one transaction.
 */
export function createOrderWriter({
  moveStock,
  onOrdersChanged,
}: {
  moveStock: MoveStock
  onOrdersChanged: OnOrdersChanged
}) {
  return {
    /** Creates and replaces orders. `before` has those that exist. Throws an `OrderWriteError`. */
    async put(tx: Transaction, before: readonly Order[], orders: readonly Order[], now: Date): Promise<void> {
      const known = new Map(before.map((order) => [orderKey(order), order]))
      const given = orders.map((order) => keepFacts(known.get(orderKey(order)), order))
      const violations = findOrderViolations(known, given)
      if (violations.length > 0) throw new OrderWriteError(violations)
      const after = given.map((order) => toStoredOrder(order, now))
      const created = given.filter((order) => !known.has(orderKey(order)))
      const taken = await moveOrderStock(tx, moveStock, known, after).catch(async (error: unknown) => {
        // Another transaction may have created the same order with the last pieces, while this one waited for the listing.
        // Then its key is taken, and this one runs again. Otherwise nothing is written: the caller may go on without an order.
        if ((await findOrders(tx, created)).length > 0) await insertOrders(tx, created, now)
        throw error
      })
      await upsertOrders(
        tx,
        given.filter((order) => known.has(orderKey(order))),
        now,
      )
      await insertOrders(tx, created, now)
      if (taken) await writeTaken(tx, taken)
      await onOrdersChanged(tx, before, after, now)
    },

    /** Writes what happened to existing orders: shipped, acknowledged or canceled. */
    async update(tx: Transaction, changes: readonly OrderChange[], now: Date): Promise<void> {
      if (changes.length === 0) return
      const before = changes.map((change) => change.before)
      const after = changes.map((change) => change.after)
      const known = new Map(before.map((order) => [orderKey(order), order]))
      const taken = await moveOrderStock(tx, moveStock, known, after)
      await updateOrders(tx, changes, now)
      if (taken) await writeTaken(tx, taken)
      await onOrdersChanged(tx, before, after, now)
    },
  }
}

/** Returns why orders cannot be written, apart from the stock, which only moving it shows. */
export function listOrderViolations(before: readonly Order[], orders: readonly Order[]): OrderViolation[] {
  const known = new Map(before.map((order) => [orderKey(order), order]))
  return findOrderViolations(
    known,
    orders.map((order) => keepFacts(known.get(orderKey(order)), order)),
  )
}

const findOrderViolations = (known: ReadonlyMap<string, Order>, orders: readonly Order[]): OrderViolation[] =>
  orders.flatMap((order, index) =>
    [...findContradictions(known.get(orderKey(order)), order), ...findPackageContradictions(order)].map(
      (contradiction) => ({ index, ...contradiction }),
    ),
  )

/** What the operator omits stays as it is: whether the order took stock, and how many pieces are shipped. */
function keepFacts(before: Order | undefined, order: Order): Order {
  if (!before) return order
  const shipped = new Map(before.items.map(({ orderItemId, quantityShipped }) => [orderItemId, quantityShipped]))
  const items = order.items.map((item) => {
    const quantityShipped = item.quantityShipped ?? shipped.get(item.orderItemId)
    const isPartial = ORDER_STATES[order.status].shipped === 'some' && quantityShipped !== undefined
    return isPartial ? { ...item, quantityShipped } : item
  })
  const { takesStock } = before
  return { ...(takesStock !== undefined && { takesStock }), ...order, items }
}
