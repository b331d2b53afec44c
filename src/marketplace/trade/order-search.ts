import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reader } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { isAfter, isAtOrAfter } from '../../platform/database/tuples.ts'
import type { Order } from './order.ts'
import { ORDER_STATUSES, type OrderStatus } from './order-states.ts'
import { withItems } from './orders.ts'
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
}

const CHANNELS = ['AFN', 'MFN'] as const

// Filters without an index are tested on this many orders per page. A page can then have fewer orders than it might.
const MAX_TESTED_ORDERS = 10_000

interface OrderKey {
  at: string
  order_id: string
}

const db = queryBuilder<TradeTables>()
type Condition = RawBuilder<SqlBool>

/** Lists the orders of a seller, oldest first. The cost of a page depends neither on its depth nor on other orders. */
export async function searchOrders(
  reader: Reader,
  sellerId: string,
  filter: OrderFilter,
  page: PageRequest,
): Promise<OrderPage> {
  if (filter.marketplaceIds.length === 0) return { orders: [] }
  const named = namedOrders(filter)
  return named ? searchNamed(reader, sellerId, filter, named, page) : searchByState(reader, sellerId, filter, page)
}

/** Conditions that few orders satisfy, each with its own index. */
function namedOrders({ orderIds, sellerOrderId, buyerEmail }: OrderFilter): Condition[] | undefined {
  const conditions: Condition[] = []
  if (orderIds) conditions.push(sql`order_id in (${sql.join(orderIds)})`)
  if (sellerOrderId !== undefined) conditions.push(sql`seller_order_id = ${sellerOrderId}`)
  if (buyerEmail !== undefined) conditions.push(sql`buyer_email = ${buyerEmail}`)
  return conditions.length > 0 ? conditions : undefined
}

async function searchNamed(
  reader: Reader,
  sellerId: string,
  filter: OrderFilter,
  named: readonly Condition[],
  { after, pageSize }: PageRequest,
): Promise<OrderPage> {
  // An expression, so that SQLite does not prefer the index by state, which suits it by the number of its columns.
  const isIn = (column: string, values: readonly string[]): Condition =>
    sql`${sql.ref(column)} || '' in (${sql.join(values)})`
  // Likewise, ids are looked up one by one rather than found in the whole period.
  const at = filter.orderIds ? sql<string>`${sql.ref(filter.by)} || ''` : sql<string>`${sql.ref(filter.by)}`
  const [from, id] = after ?? [filter.from, '']
  let query = db
    .selectFrom('orders')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where(at, '<=', filter.to)
    .where(sql<boolean>`(${at}, order_id) > (${from}, ${id})`)
    .where(isIn('marketplace_id', filter.marketplaceIds))
    .orderBy(at)
    .orderBy('order_id')
    .limit(pageSize + 1)
  for (const condition of [...named, ...otherConditions(filter)]) query = query.where(condition)
  if (filter.channels) query = query.where(isIn('fulfillment_channel', filter.channels))
  if (filter.statuses) query = query.where(isIn('status', filter.statuses))
  return toPage(filter, pageSize, await withItems(reader, await reader.all(query)))
}

async function searchByState(
  reader: Reader,
  sellerId: string,
  filter: OrderFilter,
  { after, pageSize }: PageRequest,
): Promise<OrderPage> {
  const others = otherConditions(filter)
  const limit = others.length > 0 ? MAX_TESTED_ORDERS : pageSize + 1
  const candidates = mergeRanges(sellerId, filter, after, limit)
  let query = db
    .selectFrom(candidates.as('candidates'))
    .innerJoin('orders', (join) =>
      join.onRef('orders.order_id', '=', 'candidates.order_id').on('orders.seller_id', '=', sellerId),
    )
    .selectAll('orders')
    .orderBy('candidates.at')
    .orderBy('candidates.order_id')
    .limit(pageSize + 1)
  for (const condition of others) query = query.where(condition)
  const found = toPage(filter, pageSize, await withItems(reader, await reader.all(query)))
  if (found.next || others.length === 0) return found
  const last = await reader.first(
    db
      .selectFrom(candidates.as('candidates'))
      .select(['at', 'order_id'])
      .orderBy('at')
      .orderBy('order_id')
      .offset(MAX_TESTED_ORDERS - 1)
      .limit(1),
  )
  return last ? { ...found, next: [last.at, last.order_id] } : found
}

/** The first keys of all ranges of the index by state that the filter selects, in order of time. */
function mergeRanges(sellerId: string, filter: OrderFilter, after: OrderCursor | undefined, limit: number) {
  const { by, to } = filter
  // A repeated value would repeat its orders.
  const marketplaceIds = [...new Set(filter.marketplaceIds)]
  const channels = [...new Set(filter.channels ?? CHANNELS)]
  const statuses = [...new Set(filter.statuses ?? ORDER_STATUSES)]
  const time = sql.ref(by)
  const rangesIn = (marketplaceId: string) =>
    channels.flatMap((channel) =>
      statuses.map(
        (status) => sql<OrderKey>`select at, order_id from (
          select ${time} as at, order_id from orders
          where seller_id = ${sellerId} and marketplace_id = ${marketplaceId} and fulfillment_channel = ${channel}
            and status = ${status} and ${time} <= ${to} and ${startOf(filter, after)}
          order by ${time}, order_id limit ${limit}) as keys`,
      ),
    )
  const merge = (parts: readonly RawBuilder<OrderKey>[]) =>
    sql<OrderKey>`select at, order_id from (${sql.join(parts, sql` union all `)}) as ranges order by at, order_id limit ${limit}`
  // By marketplace first, because SQLite unites at most 500 parts.
  const byMarketplace = marketplaceIds.map(
    (marketplaceId) => sql<OrderKey>`select at, order_id from (${merge(rangesIn(marketplaceId))}) as marketplace`,
  )
  return sql<OrderKey>`(${merge(byMarketplace)})`
}

const startOf = ({ by, from }: OrderFilter, after: OrderCursor | undefined) =>
  after ? isAfter([by, 'order_id'], after) : isAtOrAfter([by, 'order_id'], [from, ''])

function otherConditions(filter: OrderFilter): Condition[] {
  const conditions: Condition[] = []
  const isIn = (column: string, values: readonly string[] | undefined) => {
    if (values) conditions.push(sql`${sql.ref(column)} in (${sql.join(values)})`)
  }
  const isWithin = (column: string, { from, to }: Period = {}) => {
    if (from !== undefined) conditions.push(sql`${sql.ref(column)} >= ${from}`)
    if (to !== undefined) conditions.push(sql`${sql.ref(column)} <= ${to}`)
  }
  isIn('payment_method', filter.paymentMethods)
  isIn('easy_ship_status', filter.easyShipStatuses)
  isIn('invoice_status', filter.invoiceStatuses)
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
