import type { Reader } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { marketplaceName } from '../accounts/marketplaces.ts'
import { isAfterItem } from './item-pages.ts'
import type { SaleScope } from './sale-scope.ts'
import type { TradeTables } from './tables.ts'

const db = queryBuilder<TradeTables>()

export interface OrderSelection {
  /** The time that must lie in the scope, and by which rows are sorted. */
  by: 'purchased_at' | 'updated_at'
  /** Selects only items that the seller still has to ship. */
  unshipped?: true
}

interface OrderItemCursor {
  purchased_at: string
  updated_at: string
  order_id: string
  order_item_id: string
}

export type OrderItemRow = Awaited<ReturnType<typeof listOrderItems>>[number]

/** Lists order items with their orders, sorted by time. The items of an order are adjacent. */
export async function listOrderItems(
  reader: Reader,
  { sellerId, marketplaceIds, from, to }: SaleScope,
  { by, unshipped }: OrderSelection,
  { after, limit }: { after?: OrderItemCursor | undefined; limit: number },
) {
  const time = `orders.${by}` as const
  const last = after && ([after[by], after.order_id, after.order_item_id] as const)
  let query = orderItems
    .where('orders.seller_id', '=', sellerId)
    .where(time, '<=', to)
    .where('orders.marketplace_id', 'in', marketplaceIds)
    .where(isAfterItem([time, 'orders.order_id', 'order_items.order_item_id'], from, last))
    .orderBy(time)
    .orderBy('orders.order_id')
    .orderBy('order_items.order_item_id')
    .limit(limit)
  if (unshipped) {
    query = query
      .where('orders.status', 'in', ['Unshipped', 'PartiallyShipped'])
      .where('orders.fulfillment_channel', '=', 'MFN')
      .whereRef('order_items.quantity', '>', 'order_items.quantity_shipped')
  }
  return reader.all(query)
}

const orderItems = db
  .selectFrom('orders')
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
    'orders.seller_order_id',
    'orders.buyer_email',
    'orders.details',
    marketplaceName('orders.marketplace_id').as('sales_channel'),
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
