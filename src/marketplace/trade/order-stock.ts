import type { Reader, Transaction } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import { type Order, type OrderKey, orderKey } from './order.ts'
import { ORDER_STATES } from './order-states.ts'
import { type OrderViolation, OrderWriteError } from './order-write-error.ts'
import { keyOfRow, ofOrders } from './orders.ts'
import type { TradeTables } from './tables.ts'

/** Pieces that are taken from the stock of a listing, or added to it if negative. */
export interface StockMovement {
  sellerId: string
  marketplaceId: string
  sku: string
  pieces: number
  /** The stock from which pieces were taken that an order gives back. Absent if they are new. */
  stockId?: string
}

/** A movement that is not possible. */
export interface StockShortage {
  /** Position in the list of movements. */
  index: number
  /** Undefined if there is no such listing. */
  left: number | undefined
}

export interface StockMoved {
  /** If there are any, the caller rolls the transaction back. */
  shortages: readonly StockShortage[]
  /** The stock from which each movement took its pieces. Undefined if it took none that are counted. */
  stockIds: readonly (string | undefined)[]
}

export type MoveStock = (tx: Transaction, movements: readonly StockMovement[]) => Promise<StockMoved>

type TakenRow = TradeTables['stock_taken']

interface OrderMovement extends StockMovement {
  /** Position of the order. */
  order: number
  /** Position of the item. */
  item: number
}

const db = queryBuilder<TradeTables>()

/** The pieces that orders have taken, to be written after the orders. */
export interface StockTaken {
  /** Those that may have rows. */
  orders: readonly Order[]
  rows: readonly TakenRow[]
}

/** Moves the stock of orders that change. Throws an `OrderWriteError` if there is not enough. */
export async function moveOrderStock(
  tx: Transaction,
  moveStock: MoveStock,
  before: ReadonlyMap<string, Order>,
  after: readonly Order[],
): Promise<StockTaken | undefined> {
  const changed = after
    .map((order, index) => ({ order, index, held: piecesOf(before.get(orderKey(order))), wanted: piecesOf(order) }))
    .filter(({ order, held, wanted }) => (before.has(orderKey(order)) ? differ(held, wanted) : wanted.size > 0))
  if (changed.length === 0) return undefined
  // A new order has taken nothing.
  const orders = changed.map(({ order }) => order).filter((order) => before.has(orderKey(order)))
  const taken = await loadTaken(tx, orders)
  // What is given back first can be sold in the same batch.
  const returned = changed.flatMap((change) => giveBack(change, taken.get(orderKey(change.order)) ?? []))
  const sold = changed.flatMap(take)
  const movements = [...returned, ...sold]
  const { stockIds, shortages } = await moveStock(tx, movements)
  if (shortages.length > 0) throw new OrderWriteError(shortages.map((shortage) => toViolation(shortage, movements)))
  for (const [index, movement] of sold.entries()) {
    const stockId = stockIds[returned.length + index]
    if (stockId !== undefined) countTaken(taken, after[movement.order] as Order, movement, stockId)
  }
  return { orders, rows: [...taken.values()].flat().filter(({ pieces }) => pieces > 0) }
}

export async function writeTaken(tx: Transaction, { orders, rows }: StockTaken): Promise<void> {
  if (orders.length > 0) await tx.run(db.deleteFrom('stock_taken').where(ofOrders(orders)))
  await upsertMany(tx, 'stock_taken', ['seller_id', 'order_id', 'sku', 'stock_id'], [...rows])
}

/** The pieces that an order took from the stock of a listing. */
export interface TakenPieces {
  sku: string
  stockId: string
  pieces: number
}

/** Finds what orders have taken, by `orderKey`. */
export async function findTaken(reader: Reader, orders: readonly OrderKey[]): Promise<Map<string, TakenPieces[]>> {
  const taken = await loadTaken(reader, orders)
  return new Map(
    [...taken].map(([key, rows]) => [
      key,
      rows.map(({ sku, stock_id: stockId, pieces }) => ({ sku, stockId, pieces })),
    ]),
  )
}

/** Records what new orders have taken. */
export async function addTaken(tx: Transaction, taken: readonly (OrderKey & TakenPieces)[]): Promise<void> {
  const rows = taken.map(({ sellerId, orderId, sku, stockId, pieces }) => ({
    seller_id: sellerId,
    order_id: orderId,
    sku,
    stock_id: stockId,
    pieces,
  }))
  await writeTaken(tx, { orders: [], rows })
}

/** The pieces that an order takes from the stock of its listings, by SKU. */
export const piecesTakenBy = (order: Order): ReadonlyMap<string, number> => piecesOf(order)

type TakenByOrder = Map<string, TakenRow[]>

async function loadTaken(reader: Reader, orders: readonly OrderKey[]): Promise<TakenByOrder> {
  if (orders.length === 0) return new Map()
  return Map.groupBy(await reader.all(db.selectFrom('stock_taken').selectAll().where(ofOrders(orders))), keyOfRow)
}

/** The pieces that an order wants from listings, by SKU. The stock that the marketplace holds is not counted. */
function piecesOf(order: Order | undefined): Map<string, number> {
  const pieces = new Map<string, number>()
  if (!order?.takesStock || !ORDER_STATES[order.status].isSale) return pieces
  const isCounted = order.fulfillmentChannel === 'MFN'
  for (const { sku, quantity } of order.items) pieces.set(sku, (pieces.get(sku) ?? 0) + (isCounted ? quantity : 0))
  return pieces
}

const differ = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>) =>
  a.size !== b.size || [...a].some(([sku, pieces]) => b.get(sku) !== pieces)

interface Change {
  order: Order
  index: number
  held: ReadonlyMap<string, number>
  wanted: ReadonlyMap<string, number>
}

/** Takes what an order does not want any more out of its rows. */
function giveBack({ order, index, held, wanted }: Change, rows: TakenRow[]): OrderMovement[] {
  const movements: OrderMovement[] = []
  for (const sku of held.keys()) {
    const own = rows.filter((row) => row.sku === sku)
    let surplus = own.reduce((sum, { pieces }) => sum + pieces, 0) - (wanted.get(sku) ?? 0)
    for (const row of own) {
      const pieces = Math.min(row.pieces, surplus)
      if (pieces <= 0) break
      movements.push({ ...movementOf(order, index, sku), pieces: -pieces, stockId: row.stock_id })
      row.pieces -= pieces
      surplus -= pieces
    }
  }
  return movements
}

/** A new SKU needs a listing even if no pieces are counted. */
const take = ({ order, index, held, wanted }: Change): OrderMovement[] =>
  [...wanted]
    .filter(([sku, pieces]) => pieces > (held.get(sku) ?? 0) || !held.has(sku))
    .map(([sku, pieces]) => ({ ...movementOf(order, index, sku), pieces: pieces - (held.get(sku) ?? 0) }))

const movementOf = ({ sellerId, marketplaceId, items }: Order, order: number, sku: string) => ({
  sellerId,
  marketplaceId,
  sku,
  order,
  item: Math.max(
    0,
    items.findIndex((item) => item.sku === sku),
  ),
})

function countTaken(taken: TakenByOrder, order: Order, { sku, pieces }: StockMovement, stockId: string): void {
  const rows = taken.get(orderKey(order)) ?? []
  const known = rows.find((row) => row.sku === sku && row.stock_id === stockId)
  if (known) known.pieces += pieces
  else rows.push({ seller_id: order.sellerId, order_id: order.orderId, sku, stock_id: stockId, pieces })
  taken.set(orderKey(order), rows)
}

function toViolation({ index, left }: StockShortage, movements: readonly OrderMovement[]): OrderViolation {
  const { order, item } = movements[index] as OrderMovement
  return left === undefined
    ? { index: order, field: `items[${item}].sku`, reason: 'is not a listing of the seller in the marketplace' }
    : { index: order, field: `items[${item}].quantity`, reason: `exceeds the stock of the listing: ${left} left` }
}
