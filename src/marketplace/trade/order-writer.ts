import type { Transaction } from '../../platform/database/port.ts'
import { type Order, orderKey } from './order.ts'
import { toStoredOrder } from './order-rows.ts'
import { type Contradiction, findContradictions, ORDER_STATES } from './order-states.ts'
import { type OnOrdersChanged, type OrderChange, updateOrders, upsertOrders } from './orders.ts'
import { findPackageContradictions } from './packages.ts'

/** Pieces that an order takes from the stock of a listing, or gives back if negative. */
export interface StockMovement {
  sellerId: string
  marketplaceId: string
  sku: string
  pieces: number
}

/** A movement that is not possible. */
export interface StockShortage {
  /** Position in the list of movements. */
  index: number
  /** Undefined if there is no such listing. */
  left: number | undefined
}

/** Moves all of the stock, or returns what is not possible. In the latter case the caller rolls the transaction back. */
export type MoveStock = (tx: Transaction, movements: readonly StockMovement[]) => Promise<StockShortage[]>

export interface OrderViolation extends Contradiction {
  /** Position in the list of orders. */
  index: number
}

/** Orders that cannot be written. */
export class OrderWriteError extends Error {
  /** Of all orders, at least one. */
  readonly violations: readonly OrderViolation[]

  constructor(violations: readonly OrderViolation[]) {
    super(violations.map(({ index, field, reason }) => `orders[${index}].${field} ${reason}`).join(', '))
    this.violations = violations
  }
}

export type OrderWriter = ReturnType<typeof createOrderWriter>

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
      await move(tx, known, after)
      await upsertOrders(tx, given, now)
      await onOrdersChanged(tx, before, after, now)
    },

    /** Writes what happened to existing orders: shipped, acknowledged or canceled. */
    async update(tx: Transaction, changes: readonly OrderChange[], now: Date): Promise<void> {
      if (changes.length === 0) return
      const before = changes.map((change) => change.before)
      const after = changes.map((change) => change.after)
      await move(tx, new Map(before.map((order) => [orderKey(order), order])), after)
      await updateOrders(tx, changes, now)
      await onOrdersChanged(tx, before, after, now)
    },
  }

  async function move(tx: Transaction, before: ReadonlyMap<string, Order>, after: readonly Order[]): Promise<void> {
    const moved = after.flatMap((order, index) => findMovements(before.get(orderKey(order)), order, index))
    if (moved.length === 0) return
    // What is given back first can be sold in the same batch.
    moved.sort((a, b) => Number(a.pieces > 0) - Number(b.pieces > 0))
    const shortages = await moveStock(tx, moved)
    if (shortages.length > 0) throw new OrderWriteError(shortages.map((shortage) => toViolation(shortage, moved)))
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

function toViolation({ index, left }: StockShortage, moved: readonly OrderMovement[]): OrderViolation {
  const { order, item } = moved[index] as OrderMovement
  return left === undefined
    ? { index: order, field: `items[${item}].sku`, reason: 'is not a listing of the seller in the marketplace' }
    : { index: order, field: `items[${item}].quantity`, reason: `exceeds the stock of the listing: ${left} left` }
}

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

interface OrderMovement extends StockMovement {
  /** Position of the order. */
  order: number
  /** Position of the item. */
  item: number
}

function findMovements(before: Order | undefined, after: Order, order: number): OrderMovement[] {
  const held = piecesOf(before)
  const wanted = piecesOf(after)
  const { sellerId, marketplaceId } = after
  const movements: OrderMovement[] = []
  for (const sku of new Set([...held.keys(), ...wanted.keys()])) {
    const pieces = (wanted.get(sku) ?? 0) - (held.get(sku) ?? 0)
    // An order of nothing still needs the listing.
    if (pieces === 0 && (before || !wanted.has(sku))) continue
    const item = Math.max(
      0,
      after.items.findIndex((one) => one.sku === sku),
    )
    movements.push({ sellerId, marketplaceId, sku, pieces, order, item })
  }
  return movements
}

/** The pieces that an order has taken from listings, by SKU. */
function piecesOf(order: Order | undefined): Map<string, number> {
  const pieces = new Map<string, number>()
  if (!order?.takesStock || !ORDER_STATES[order.status].isSale) return pieces
  for (const { sku, quantity } of order.items) pieces.set(sku, (pieces.get(sku) ?? 0) + quantity)
  return pieces
}
