import { sql } from 'kysely'
import type { Reader } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { isAfterItem } from './item-pages.ts'
import type { SaleScope } from './sale-scope.ts'
import type { TradeTables } from './tables.ts'

const db = queryBuilder<TradeTables>()

interface ReturnedItemCursor {
  requested_at: string
  rma_id: string
  order_item_id: string
}

export type ReturnedItemRow = Awaited<ReturnType<typeof listReturnedItems>>[number]

/** Lists the returned items of merchant-fulfilled orders by request time. The items of a return are adjacent. */
export async function listReturnedItems(
  reader: Reader,
  { sellerId, marketplaceIds, from, to }: SaleScope,
  { after, limit }: { after?: ReturnedItemCursor | undefined; limit: number },
) {
  const last = after && ([after.requested_at, after.rma_id, after.order_item_id] as const)
  const query = returnedItems
    .where('returns.seller_id', '=', sellerId)
    .where('returns.requested_at', '<=', to)
    .where('orders.marketplace_id', 'in', marketplaceIds)
    .where(isAfterItem(['returns.requested_at', 'returns.rma_id', 'return_items.order_item_id'], from, last))
    .limit(limit)
  return reader.all(query)
}

const returnedItems = db
  .selectFrom('returns')
  .innerJoin('orders', (join) =>
    join.onRef('orders.seller_id', '=', 'returns.seller_id').onRef('orders.order_id', '=', 'returns.order_id'),
  )
  .innerJoin('return_items', (join) =>
    join.onRef('return_items.seller_id', '=', 'returns.seller_id').onRef('return_items.rma_id', '=', 'returns.rma_id'),
  )
  .leftJoin('order_items', (join) =>
    join
      .onRef('order_items.seller_id', '=', 'returns.seller_id')
      .onRef('order_items.order_id', '=', 'returns.order_id')
      .onRef('order_items.order_item_id', '=', 'return_items.order_item_id'),
  )
  .where('orders.fulfillment_channel', '=', 'MFN')
  .select([
    'returns.rma_id',
    'returns.order_id',
    'returns.merchant_rma_id',
    'returns.requested_at',
    'returns.status',
    'returns.is_prime',
    'returns.a_to_z_claim',
    'returns.return_type',
    'returns.label_type',
    'returns.label_cost_minor',
    'returns.label_carrier',
    'returns.label_tracking_id',
    'returns.label_paid_by',
    'returns.invoice_number',
    'returns.delivered_at',
    'return_items.order_item_id',
    'return_items.quantity',
    'return_items.reason_code',
    'return_items.in_policy',
    'return_items.resolution',
    'return_items.category',
    'return_items.refund_minor',
    'order_items.sku',
    'order_items.asin',
    'order_items.title',
    'orders.purchased_at',
    'orders.currency_code',
    orderTotal('price_minor + tax_minor + shipping_price_minor').as('order_amount_minor'),
    orderTotal('quantity').as('order_quantity'),
  ])
  .orderBy('returns.requested_at')
  .orderBy('returns.rma_id')
  .orderBy('return_items.order_item_id')

function orderTotal(summed: string) {
  return sql<number>`(select cast(coalesce(sum(${sql.raw(summed)}), 0) as bigint) from order_items as all_items
    where all_items.seller_id = orders.seller_id and all_items.order_id = orders.order_id)`
}
