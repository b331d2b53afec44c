import { sql } from 'kysely'
import type { Reader } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import type { SaleScope } from './sale-scope.ts'
import type { TradeTables } from './tables.ts'

const db = queryBuilder<TradeTables>()

const count = (condition: string) =>
  sql<number>`cast(coalesce(sum(case when ${sql.raw(condition)} then 1 else 0 end), 0) as bigint)`

/** Counts merchant-fulfilled orders by marketplace: the seller is not responsible for shipments of the marketplace. */
export function countOrders(reader: Reader, { sellerId, marketplaceIds, from, to }: SaleScope) {
  const query = db
    .selectFrom('orders')
    .select([
      'marketplace_id',
      sql<number>`cast(count(*) as bigint)`.as('orders'),
      count('shipped_at > latest_ship_at').as('shipped_late'),
      count('shipped_at is not null').as('shipped'),
      count('delivered_at is not null').as('delivered'),
      count('delivered_at <= latest_delivery_at').as('delivered_on_time'),
      count(`status = 'Canceled'`).as('cancelled'),
    ])
    .where('seller_id', '=', sellerId)
    .where('marketplace_id', 'in', marketplaceIds)
    .where('fulfillment_channel', '=', 'MFN')
    .where('purchased_at', '>', from)
    .where('purchased_at', '<=', to)
    .groupBy('marketplace_id')
  return reader.all(query)
}

/** Counts orders with negative feedback or an A-to-z claim, by marketplace and fulfillment channel. */
export function countDefects(reader: Reader, { sellerId, marketplaceIds, from, to }: SaleScope) {
  const query = db
    .selectFrom('orders')
    .leftJoin('feedback', (join) =>
      join.onRef('feedback.seller_id', '=', 'orders.seller_id').onRef('feedback.order_id', '=', 'orders.order_id'),
    )
    .select([
      'marketplace_id',
      'fulfillment_channel',
      sql<number>`cast(count(*) as bigint)`.as('orders'),
      count('rating <= 2').as('negative_feedback'),
      count(CLAIMED).as('claims'),
      count(`rating <= 2 or ${CLAIMED}`).as('defective'),
    ])
    .where('orders.seller_id', '=', sellerId)
    .where('marketplace_id', 'in', marketplaceIds)
    .where('purchased_at', '>', from)
    .where('purchased_at', '<=', to)
    .groupBy('marketplace_id')
    .groupBy('fulfillment_channel')
  return reader.all(query)
}

const CLAIMED = `exists (select 1 from returns where returns.seller_id = orders.seller_id
  and returns.order_id = orders.order_id and a_to_z_claim = 1)`
