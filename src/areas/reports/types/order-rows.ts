import type { Database } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isAtOrAfter } from '../../../platform/database/tuples.ts'
import type { ReportTables } from '../tables.ts'
import { PAGE_ROWS, readPages } from './pages.ts'
import type { ReportScope } from './report-type.ts'

const db = queryBuilder<ReportTables>()

/** By which of its times an order belongs to a report, and which orders do at all. */
export interface OrderSelection {
  by: 'purchased_at' | 'updated_at'
  /** Only what the seller has still to ship. */
  unshipped?: true
}

export type OrderRow = Awaited<ReturnType<typeof readOrderPage>>[number]

/** The items of orders in the order of time; those of one order stand together. */
export const readOrders = (database: Database, scope: ReportScope, selection: OrderSelection) =>
  readPages<OrderRow>((after) => readOrderPage(database, scope, selection, after))

async function readOrderPage(
  database: Database,
  { sellerId, marketplaceIds, from, to }: ReportScope,
  { by, unshipped }: OrderSelection,
  after?: { purchased_at: string; updated_at: string; order_id: string; order_item_id: string },
) {
  const time = `orders.${by}` as const
  let query = orderItems
    .where('orders.seller_id', '=', sellerId)
    .where(time, '<=', to)
    .where('orders.marketplace_id', 'in', marketplaceIds)
    .where(isAtOrAfter([time, 'orders.order_id'], [after?.[by] ?? from, after?.order_id ?? '']))
    .orderBy(time)
    .orderBy('orders.order_id')
    .orderBy('order_items.order_item_id')
  if (unshipped) {
    query = query
      .where('orders.status', 'in', ['Unshipped', 'PartiallyShipped'])
      .where('orders.fulfillment_channel', '=', 'MFN')
      .whereRef('order_items.quantity', '>', 'order_items.quantity_shipped')
  }
  if (after) {
    query = query.where((eb) =>
      eb.or([eb('orders.order_id', '<>', after.order_id), eb('order_items.order_item_id', '>', after.order_item_id)]),
    )
  }
  return database.read((reader) => reader.all(query))
}

const orderItems = db
  .selectFrom('orders')
  .innerJoin('marketplaces', 'marketplaces.marketplace_id', 'orders.marketplace_id')
  .innerJoin('order_items', (join) =>
    join.onRef('order_items.seller_id', '=', 'orders.seller_id').onRef('order_items.order_id', '=', 'orders.order_id'),
  )
  .select([
    'orders.order_id',
    'orders.purchased_at',
    'orders.updated_at',
    'orders.status',
    'orders.fulfillment_channel',
    'orders.ship_service_level',
    'orders.latest_ship_at',
    'orders.currency_code',
    'orders.ship_city',
    'orders.ship_state',
    'orders.ship_postal_code',
    'orders.ship_country_code',
    'marketplaces.name as sales_channel',
    'order_items.order_item_id',
    'order_items.sku',
    'order_items.asin',
    'order_items.title',
    'order_items.quantity',
    'order_items.quantity_shipped',
    'order_items.price_minor',
    'order_items.tax_minor',
    'order_items.shipping_price_minor',
  ])
  .limit(PAGE_ROWS)

/** The flat files and the XML call the parties by name. */
export const fulfillmentChannel = (row: OrderRow) => (row.fulfillment_channel === 'AFN' ? 'Amazon' : 'Merchant')

/** Reports spell it with two l's, the rest of the interface with one. */
export const orderStatus = ({ status }: OrderRow) => (status === 'Canceled' ? 'Cancelled' : status)

/** An item has no status of its own here: it follows from what has been shipped of it. */
export function itemStatus(row: OrderRow): string {
  if (row.status === 'Canceled') return 'Cancelled'
  return row.quantity_shipped >= row.quantity && row.quantity > 0 ? 'Shipped' : 'Unshipped'
}
