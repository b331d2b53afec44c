import { type AliasedRawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, prepareLookup, queryBuilder } from '../../platform/database/query.ts'
import { isAfter, isOneOf } from '../../platform/database/tuples.ts'
import { prepareInserts, upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { marketplaceName } from '../accounts/marketplaces.ts'
import type { Order, OrderKey, Package } from './order.ts'
import { selectItems, selectPackages, toOrder } from './order-parts.ts'
import { fromPackageRow, toItemRow, toItemRows, toOrderRow, toPackageRow, toStateRow } from './order-rows.ts'
import type { TradeTables } from './tables.ts'

export { Order, OrderItem, type OrderKey, orderKey } from './order.ts'
export { ORDER_STATUSES } from './order-states.ts'

/**
 * Called in the transaction that writes orders. `before` has those of them that existed, `after` has all of them as
 * stored.
 */
export type OnOrdersChanged = (
  tx: Transaction,
  before: readonly Order[],
  after: readonly Order[],
  now: Date,
) => Promise<void>

const db = queryBuilder<TradeTables>()

type OrderRow = TradeTables['orders']
const ORDER_KEY = ['seller_id', 'order_id']
const ITEM_KEY = [...ORDER_KEY, 'order_item_id']
const PACKAGE_KEY = [...ORDER_KEY, 'package_reference_id']

const insertRows = prepareInserts<OrderRow>('orders', {
  numbers: ['buyer_accepts_requests', 'is_pickup', 'takes_stock'],
})

/** Writes orders that do not exist; one that another transaction has written meanwhile is an error. For the order writer. */
export async function insertOrders(tx: Transaction, orders: readonly Order[], now: Date): Promise<void> {
  if (orders.length === 0) return
  // In one order everywhere, so that two transactions that write the same ones never wait for each other.
  const rows = orders.map((order) => toOrderRow(order, now)).sort((a, b) => (keyOfRow(a) < keyOfRow(b) ? -1 : 1))
  await insertRows(tx, rows)
  await writeContent(tx, orders, now, [])
}

/**
 * Replaces orders with all of their items, and their packages where given. `replaced` are those that may exist. Other
 * code uses the order writer.
 */
export async function upsertOrders(
  tx: Transaction,
  orders: readonly Order[],
  now: Date,
  replaced: readonly OrderKey[] = orders,
): Promise<void> {
  if (orders.length === 0) return
  const rows = orders.map((order) => toOrderRow(order, now))
  await upsertMany(tx, 'orders', ORDER_KEY, rows)
  await writeContent(tx, orders, now, replaced)
}

async function writeContent(
  tx: Transaction,
  orders: readonly Order[],
  now: Date,
  replaced: readonly OrderKey[],
): Promise<void> {
  if (replaced.length > 0) await tx.run(db.deleteFrom('order_items').where(ofOrders(replaced)))
  await upsertMany(tx, 'order_items', ITEM_KEY, orders.flatMap(toItemRows))
  const withPackages = orders.filter(({ packages }) => packages)
  if (withPackages.length === 0) return
  await tx.run(db.deleteFrom('order_packages').where(ofOrders(withPackages)))
  const packages = withPackages.flatMap((order) => order.packages?.map((one) => toPackageRow(order, one, now)) ?? [])
  if (packages.length > 0) await upsertMany(tx, 'order_packages', PACKAGE_KEY, packages)
}

const updateState = prepare((row: ReturnType<typeof toStateRow>) =>
  db
    .updateTable('orders')
    .set({
      status: row.status,
      updated_at: row.updated_at,
      shipped_at: row.shipped_at,
      delivered_at: row.delivered_at,
      acknowledged_at: row.acknowledged_at,
      details: row.details,
    })
    .where('seller_id', '=', row.seller_id)
    .where('order_id', '=', row.order_id),
)

const updateShipped = prepare((row: TradeTables['order_items']) =>
  db
    .updateTable('order_items')
    .set({ quantity_shipped: row.quantity_shipped })
    .where('seller_id', '=', row.seller_id)
    .where('order_id', '=', row.order_id)
    .where('order_item_id', '=', row.order_item_id),
)

const upsertPackage = prepare((row: TradeTables['order_packages']) =>
  db
    .insertInto('order_packages')
    .values({ ...row })
    .onConflict((conflict) =>
      conflict.columns(['seller_id', 'order_id', 'package_reference_id']).doUpdateSet((eb) => ({
        carrier_code: eb.ref('excluded.carrier_code'),
        carrier_name: eb.ref('excluded.carrier_name'),
        shipping_method: eb.ref('excluded.shipping_method'),
        tracking_number: eb.ref('excluded.tracking_number'),
        shipped_at: eb.ref('excluded.shipped_at'),
        supply_source_id: eb.ref('excluded.supply_source_id'),
        items: eb.ref('excluded.items'),
      })),
    ),
)

export interface OrderChange {
  before: Order
  /** Differs in state, times and shipped pieces only. */
  after: Order
  /** New and changed packages. */
  packages?: readonly Package[]
}

/** Writes what happens to orders after their sale. */
export async function updateOrders(tx: Transaction, changes: readonly OrderChange[], now: Date): Promise<void> {
  await tx.runEach(
    updateState,
    changes.map(({ after }) => toStateRow(after, now)),
  )
  const items = changes.flatMap(({ before, after }) =>
    after.items
      .filter(({ quantityShipped }, index) => quantityShipped !== before.items[index]?.quantityShipped)
      .map((item) => toItemRow(after, item)),
  )
  if (items.length > 0) await tx.runEach(updateShipped, items)
  const packages = changes.flatMap(({ after, packages = [] }) => packages.map((one) => toPackageRow(after, one, now)))
  if (packages.length > 0) await tx.runEach(upsertPackage, packages)
}

/** Orders come with their items. */
export interface OrderParts {
  packages?: boolean
}

const selectOrder = ({ sellerId, orderId }: OrderKey) =>
  db.selectFrom('orders').where('orders.seller_id', '=', sellerId).where('orders.order_id', '=', orderId)

const lockRow = prepare((key: OrderKey) => selectOrder(key).select('order_id').forUpdate())
const selectWithItems = (key: OrderKey, dialect: Dialect) =>
  selectOrder(key).selectAll('orders').select(selectItems(dialect))
const findRow = prepareLookup(selectWithItems)
const findRowWithPackages = prepareLookup((key: OrderKey, dialect) =>
  selectWithItems(key, dialect).select(selectPackages(dialect)),
)
const findRowAndChannel = prepareLookup((key: OrderKey, dialect) =>
  selectWithItems(key, dialect).select(marketplaceName('orders.marketplace_id').as('sales_channel')),
)
const findPackageRows = prepare(({ sellerId, orderId }: OrderKey) =>
  db
    .selectFrom('order_packages')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where('order_id', '=', orderId)
    .orderBy('package_reference_id'),
)

export async function findOrder(
  reader: Reader,
  key: OrderKey,
  { packages = false }: OrderParts = {},
): Promise<Order | undefined> {
  const row = await reader.first(packages ? findRowWithPackages : findRow, key)
  return row && toOrder(row)
}

/**
 * The same for a transaction that changes the order, or what belongs to it. Locks the order: its items and packages
 * change with it only.
 */
export async function findOrderToChange(tx: Transaction, key: OrderKey): Promise<Order | undefined> {
  // One statement would lock the latest state of the order, and read the items as they were before it waited for the lock.
  return (await tx.first(lockRow, key)) && findOrder(tx, key)
}

/** Returns the order, and the name of its marketplace by the same statement. */
export async function findOrderAndChannel(
  reader: Reader,
  key: OrderKey,
): Promise<{ order: Order; salesChannel: string } | undefined> {
  const row = await reader.first(findRowAndChannel, key)
  return row && { order: toOrder(row), salesChannel: row.sales_channel }
}

export async function findPackages(reader: Reader, key: OrderKey): Promise<Package[]> {
  return (await reader.all(findPackageRows, key)).map(fromPackageRow)
}

/** Prepares a query for an order's delivery and one column of the caller's own tables, so that one statement reads both. */
export const prepareDeliveryQuery = <Value, Alias extends string>(column: AliasedRawBuilder<Value, Alias>) =>
  prepareLookup((key: OrderKey) =>
    db
      .selectFrom('orders')
      .select([
        'marketplace_id',
        'delivered_at',
        'earliest_delivery_at',
        'latest_delivery_at',
        'buyer_accepts_requests',
        column,
      ])
      .where('seller_id', '=', key.sellerId)
      .where('order_id', '=', key.orderId),
  )

/** Returns existing orders in no particular order. */
export async function findOrders(
  reader: Reader,
  keys: readonly OrderKey[],
  { packages = false }: OrderParts = {},
): Promise<Order[]> {
  if (keys.length === 0) return []
  const query = db
    .selectFrom('orders')
    .selectAll('orders')
    .select(selectItems(reader.dialect))
    .$if(packages, (orders) => orders.select(selectPackages(reader.dialect)))
    .where(ofOrders(keys))
  return (await reader.all(query)).map(toOrder)
}

/** The same for a transaction that changes them. Locks them in one order, so that no two transactions deadlock. */
export async function findOrdersToChange(
  tx: Transaction,
  keys: readonly OrderKey[],
  parts?: OrderParts,
): Promise<Order[]> {
  if (keys.length === 0) return []
  const query = db.selectFrom('orders').select('order_id').where(ofOrders(keys))
  await tx.all(query.orderBy('seller_id').orderBy('order_id').forUpdate())
  return findOrders(tx, keys, parts)
}

/** With their packages. */
export async function listOrders(reader: Reader, page: PageRequest & { sellerId?: string }): Promise<Order[]> {
  let query = db
    .selectFrom('orders')
    .selectAll('orders')
    .select([selectItems(reader.dialect), selectPackages(reader.dialect)])
    .orderBy('seller_id')
    .orderBy('order_id')
    .limit(page.limit)
  if (page.sellerId) query = query.where('seller_id', '=', page.sellerId)
  if (page.after) query = query.where(isAfter(ORDER_KEY, page.after))
  return (await reader.all(query)).map(toOrder)
}

/** Rows of these orders, in any table with their key. */
export const ofOrders = (keys: readonly OrderKey[]) =>
  isOneOf(
    ORDER_KEY,
    keys.map(({ sellerId, orderId }) => [sellerId, orderId]),
  )

/** Identifies the order of a row in a map, as `orderKey` does. */
export const keyOfRow = (row: { seller_id: string; order_id: string }) => `${row.seller_id} ${row.order_id}`

/** Ids of a seller's orders in one of the marketplaces, or in any, from a text on. */
export async function listOrderIds(
  reader: Reader,
  sellerId: string,
  { from, marketplaceIds, limit }: { from: string; marketplaceIds?: readonly string[]; limit: number },
): Promise<string[]> {
  let query = db
    .selectFrom('orders')
    .select('order_id')
    .where('seller_id', '=', sellerId)
    .where('order_id', '>=', from)
    .orderBy('order_id')
    .limit(limit)
  if (marketplaceIds) query = query.where('marketplace_id', 'in', marketplaceIds)
  return (await reader.all(query)).map((row) => row.order_id)
}

/** The highest order id of any seller by its first three digits, for ids from one text to another. */
export async function findLastOrderIds(reader: Reader, from: string, before: string): Promise<Map<string, string>> {
  const prefix = sql<string>`substr(order_id, 1, 3)`
  const query = db
    .selectFrom('orders')
    .select([prefix.as('prefix'), (eb) => eb.fn.max('order_id').as('last')])
    .where('order_id', '>=', from)
    .where('order_id', '<', before)
    .groupBy(prefix)
  return new Map((await reader.all(query)).map((row) => [row.prefix, row.last]))
}
