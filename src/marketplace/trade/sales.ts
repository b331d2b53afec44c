import { sql } from 'kysely'
import type { Reader } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { ORDER_STATES, ORDER_STATUSES } from './order-states.ts'
import type { TradeTables } from './tables.ts'

const db = queryBuilder<TradeTables>()

const NOT_SOLD = ORDER_STATUSES.filter((status) => !ORDER_STATES[status].isSale)
const DATE_LENGTH = 10

export interface DailySales {
  /** A day in UTC: 2026-06-01. */
  date: string
  currencyCode: string
  orders: number
  /** Prices of the items, without tax and shipping. */
  revenueMinor: number
}

const selectDailySales = prepare((params: { from: string; to: string }) =>
  db
    // The index begins with the seller, so find the sellers in it first, each with one step.
    .withRecursive('seller(seller_id)', (cte) =>
      cte
        .selectFrom('orders')
        .select((eb) => eb.fn.min('seller_id').as('seller_id'))
        .unionAll(
          cte
            .selectFrom('seller')
            .select(
              sql<string>`(select min(seller_id) from orders where orders.seller_id > seller.seller_id)`.as(
                'seller_id',
              ),
            )
            .where('seller.seller_id', 'is not', null),
        ),
    )
    .selectFrom('seller')
    .innerJoin('orders', 'orders.seller_id', 'seller.seller_id')
    .select((eb) => [
      sql<string>`substr(purchased_at, 1, ${sql.lit(DATE_LENGTH)})`.as('date'),
      'currency_code',
      eb.fn.countAll<number>().as('orders'),
      sql<number>`cast(coalesce(sum((select sum(price_minor) from order_items
        where order_items.seller_id = orders.seller_id and order_items.order_id = orders.order_id)), 0) as bigint)`.as(
        'revenue_minor',
      ),
    ])
    .where('purchased_at', '>=', params.from)
    .where('purchased_at', '<', params.to)
    .where('status', 'not in', NOT_SOLD)
    .groupBy([sql`1`, 'currency_code'])
    .orderBy(sql`1`)
    .orderBy('currency_code'),
)

/** Loads the sales of all sellers, canceled ones excluded. Older orders take no time. */
export async function loadDailySales(reader: Reader, { from, to }: { from: Date; to: Date }): Promise<DailySales[]> {
  const rows = await reader.all(selectDailySales, { from: from.toISOString(), to: to.toISOString() })
  return rows.map((row) => ({
    date: row.date,
    currencyCode: row.currency_code,
    orders: row.orders,
    revenueMinor: row.revenue_minor,
  }))
}

/** Counts the orders of all sellers, up to a limit. */
export async function countAllOrders(reader: Reader, limit: number): Promise<number> {
  const some = db.selectFrom('orders').select('order_id').limit(limit).as('some')
  const row = await reader.first(db.selectFrom(some).select((eb) => eb.fn.countAll<number>().as('count')))
  return row?.count ?? 0
}
