import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { mergeRanges } from '../../platform/database/merge-ranges.ts'
import type { Reader } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { isAfter, isAtOrAfter, isBefore } from '../../platform/database/tuples.ts'
import type { Order } from './order.ts'
import { selectItems, selectPackages, toOrder } from './order-parts.ts'
import { ORDER_STATUSES, type OrderStatus } from './order-states.ts'
import type { TradeTables } from './tables.ts'

/** A period in the stored format of times. Both ends are inclusive. */
export interface Period {
  from?: string | undefined
  to?: string | undefined
}

export interface OrderFilter {
  /** The time that lies in the period, and by which orders are sorted. */
  by: 'purchased_at' | 'updated_at'
  from: string
  to: string
  /** Default: oldest first */
  isNewestFirst?: boolean | undefined
  marketplaceIds: readonly string[]
  channels?: readonly Order['fulfillmentChannel'][] | undefined
  statuses?: readonly OrderStatus[] | undefined
  orderIds?: readonly string[] | undefined
  sellerOrderId?: string | undefined
  buyerEmail?: string | undefined
  paymentMethods?: readonly string[] | undefined
  easyShipStatuses?: readonly string[] | undefined
  invoiceStatuses?: readonly string[] | undefined
  supplySourceId?: string | undefined
  storeChainStoreId?: string | undefined
  isPickup?: boolean | undefined
  earliestDelivery?: Period | undefined
  latestDelivery?: Period | undefined
}

/** The time and id of the last order that was looked at. */
export type OrderCursor = readonly [at: string, orderId: string]

export interface OrderPage {
  orders: Order[]
  /** Present if there may be more. */
  next?: OrderCursor
}

interface PageRequest {
  after?: OrderCursor | undefined
  pageSize: number
  /** Orders come with their items, and with their packages if this is true. */
  packages?: boolean
}

const CHANNELS = ['AFN', 'MFN'] as const

// Filters without an index are tested on this many orders per page. A page can then have fewer orders than it might.
const MAX_TESTED_ORDERS = 10_000

// SQLite unites at most 500 parts.
const MAX_RANGES = 400

interface OrderKey {
  at: string
  order_id: string
}

interface FoundKey extends OrderKey {
  /** 0 for the last order that was tested, if there may be more. */
  is_match: number
}

const db = queryBuilder<TradeTables>()
type Condition = RawBuilder<SqlBool>

/** Lists the orders of a seller by time. The cost of a page depends neither on its depth nor on other orders. */
export async function searchOrders(
  reader: Reader,
  sellerId: string,
  filter: OrderFilter,
  page: PageRequest,
): Promise<OrderPage> {
  if (filter.marketplaceIds.length === 0) return { orders: [] }
  const named = namedOrders(sellerId, filter)
  return named ? searchNamed(reader, sellerId, filter, named, page) : searchByState(reader, sellerId, filter, page)
}

/** Conditions that few orders satisfy, each with its own index. SQLite prefers it only where the index has all columns. */
function namedOrders(sellerId: string, { orderIds, sellerOrderId, buyerEmail }: OrderFilter): Condition[] | undefined {
  const conditions: Condition[] = []
  const having = (column: string, value: string): Condition =>
    sql`order_id in (select order_id from orders where seller_id = ${sellerId} and ${sql.ref(column)} = ${value})`
  if (orderIds) conditions.push(sql`order_id in (${sql.join(orderIds)})`)
  if (sellerOrderId !== undefined) conditions.push(having('seller_order_id', sellerOrderId))
  if (buyerEmail !== undefined) conditions.push(having('buyer_email', buyerEmail))
  return conditions.length > 0 ? conditions : undefined
}

async function searchNamed(
  reader: Reader,
  sellerId: string,
  filter: OrderFilter,
  named: readonly Condition[],
  { after, pageSize, packages = false }: PageRequest,
): Promise<OrderPage> {
  // Expressions, so that SQLite looks up the ids rather than use an index by state or time, which suits it by the number
  // of its columns.
  const isIn = (column: string, values: readonly string[]): Condition =>
    sql`${sql.ref(column)} || '' in (${sql.join(values)})`
  const at = sql<string>`${sql.ref(filter.by)} || ''`
  const comesAfter = ([time, id]: OrderCursor): Condition =>
    sql`(${at}, order_id) ${filter.isNewestFirst ? sql`<` : sql`>`} (${time}, ${id})`
  const direction = filter.isNewestFirst ? 'desc' : 'asc'
  let query = db
    .selectFrom('orders')
    .selectAll('orders')
    .select(selectItems(reader.dialect))
    .$if(packages, (orders) => orders.select(selectPackages(reader.dialect)))
    .where('seller_id', '=', sellerId)
    .where(at, '>=', filter.from)
    .where(at, '<=', filter.to)
    .where(isIn('marketplace_id', filter.marketplaceIds))
    .orderBy(at, direction)
    .orderBy('order_id', direction)
    .limit(pageSize + 1)
  if (after) query = query.where(comesAfter(after))
  for (const condition of [...named, ...otherConditions(filter)]) query = query.where(condition)
  if (filter.channels) query = query.where(isIn('fulfillment_channel', filter.channels))
  if (filter.statuses) query = query.where(isIn('status', filter.statuses))
  return toPage(filter, pageSize, (await reader.all(query)).map(toOrder))
}

async function searchByState(
  reader: Reader,
  sellerId: string,
  filter: OrderFilter,
  { after, pageSize, packages = false }: PageRequest,
): Promise<OrderPage> {
  const ranges = rangesOf(sellerId, filter, after)
  const firstKeys = (limit: number): Keys =>
    mergeRanges(reader.dialect, ranges ?? [selectKeys(sellerId, filter, after)], { order: byTime(filter), limit })
  const conditions = [...otherConditions(filter), ...(ranges ? [] : stateConditions(filter))]
  const found =
    conditions.length > 0
      ? testKeys(sellerId, filter, firstKeys(MAX_TESTED_ORDERS), conditions, pageSize)
      : sql`select at, order_id, 1 as is_match from (${firstKeys(pageSize + 1)}) as keys`
  // A cross join, because SQLite joins in the order of the text only then.
  const query = db
    .selectFrom(sql<FoundKey>`(${found})`.as('found'))
    .crossJoin('orders')
    .selectAll('orders')
    .select(['found.is_match', selectItems(reader.dialect)])
    .$if(packages, (orders) => orders.select(selectPackages(reader.dialect)))
    .where('orders.seller_id', '=', sellerId)
    .whereRef('orders.order_id', '=', 'found.order_id')
    .orderBy('found.at', filter.isNewestFirst ? 'desc' : 'asc')
    .orderBy('found.order_id', filter.isNewestFirst ? 'desc' : 'asc')
  const rows = await reader.all(query)
  const matches = rows.filter((row) => row.is_match === 1)
  const last = rows.find((row) => row.is_match === 0)
  const page = toPage(filter, pageSize, matches.map(toOrder))
  return page.next || !last ? page : { ...page, next: [last[filter.by], last.order_id] }
}

type Keys = RawBuilder<unknown>

const byTime = ({ isNewestFirst }: OrderFilter) => (isNewestFirst ? sql`at desc, order_id desc` : sql`at, order_id`)

/** The first keys whose orders satisfy the conditions, and the last key if all of the orders that may be tested were. */
const testKeys = (
  sellerId: string,
  filter: OrderFilter,
  keys: Keys,
  conditions: readonly Condition[],
  pageSize: number,
): Keys => sql`
  with tested as materialized (
    select at, order_id, (
      select ${sql.join(conditions, sql` and `)} from orders
      where orders.seller_id = ${sellerId} and orders.order_id = keys.order_id
    ) as is_match
    from (${keys}) as keys
  )
  select at, order_id, 1 as is_match from (
    select at, order_id from tested where is_match order by ${byTime(filter)} limit ${pageSize + 1}
  ) as matching
  union all
  select at, order_id, 0 as is_match from (
    select at, order_id from tested order by ${byTime(filter)} limit 1 offset ${MAX_TESTED_ORDERS - 1}
  ) as ending`

/** The ranges of the index by state that the filter selects, unless there are too many. */
function rangesOf(sellerId: string, filter: OrderFilter, after: OrderCursor | undefined): Keys[] | undefined {
  // A repeated value would repeat its orders.
  const marketplaceIds = [...new Set(filter.marketplaceIds)]
  const channels = [...new Set(filter.channels ?? CHANNELS)]
  const statuses = [...new Set(filter.statuses ?? ORDER_STATUSES)]
  if (marketplaceIds.length * channels.length * statuses.length > MAX_RANGES) return undefined
  const keys = selectKeys(sellerId, filter, after)
  return marketplaceIds.flatMap((marketplaceId) =>
    channels.flatMap((channel) =>
      statuses.map(
        (status): Keys =>
          sql`${keys} and marketplace_id = ${marketplaceId} and fulfillment_channel = ${channel} and status = ${status}`,
      ),
    ),
  )
}

const selectKeys = (sellerId: string, filter: OrderFilter, after: OrderCursor | undefined): Keys => {
  const time = sql.ref(filter.by)
  return sql`select ${time} as at, order_id from orders
    where seller_id = ${sellerId} and ${boundsOf(filter, after)}`
}

function boundsOf({ by, from, to, isNewestFirst }: OrderFilter, after: OrderCursor | undefined): Condition {
  const key = [by, 'order_id']
  const isOldEnough = sql<SqlBool>`${sql.ref(by)} <= ${to}`
  const isNewEnough = isAtOrAfter(key, [from, ''])
  if (!after) return sql`${isOldEnough} and ${isNewEnough}`
  return isNewestFirst
    ? sql`${isNewEnough} and ${isBefore(key, after)}`
    : sql`${isOldEnough} and ${isAfter(key, after)}`
}

const isOneOfValues = (column: string, values: readonly string[] | undefined): Condition[] =>
  values ? [sql`${sql.ref(column)} in (${sql.join(values)})`] : []

const stateConditions = ({ marketplaceIds, channels, statuses }: OrderFilter): Condition[] => [
  ...isOneOfValues('marketplace_id', marketplaceIds),
  ...isOneOfValues('fulfillment_channel', channels),
  ...isOneOfValues('status', statuses),
]

function otherConditions(filter: OrderFilter): Condition[] {
  const conditions = [
    ...isOneOfValues('payment_method', filter.paymentMethods),
    ...isOneOfValues('easy_ship_status', filter.easyShipStatuses),
    ...isOneOfValues('invoice_status', filter.invoiceStatuses),
  ]
  const isWithin = (column: string, { from, to }: Period = {}) => {
    if (from !== undefined) conditions.push(sql`${sql.ref(column)} >= ${from}`)
    if (to !== undefined) conditions.push(sql`${sql.ref(column)} <= ${to}`)
  }
  if (filter.supplySourceId !== undefined) conditions.push(sql`supply_source_id = ${filter.supplySourceId}`)
  if (filter.storeChainStoreId !== undefined) conditions.push(sql`store_chain_store_id = ${filter.storeChainStoreId}`)
  if (filter.isPickup !== undefined) conditions.push(sql`is_pickup = ${Number(filter.isPickup)}`)
  isWithin('earliest_delivery_at', filter.earliestDelivery)
  isWithin('latest_delivery_at', filter.latestDelivery)
  return conditions
}

function toPage({ by }: OrderFilter, pageSize: number, found: readonly Order[]): OrderPage {
  const orders = found.slice(0, pageSize)
  const last = orders.at(-1)
  if (found.length <= pageSize || !last) return { orders }
  return { orders, next: [by === 'purchased_at' ? last.purchasedAt : (last.updatedAt ?? ''), last.orderId] }
}
