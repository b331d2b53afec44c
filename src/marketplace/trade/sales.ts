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

export interface Sales {
  /** Oldest first. Days without sales are left out. */
  days: DailySales[]
  /** The first day of which all sales were counted: later than asked for if there are too many orders. */
  completeFrom: string
}

interface SalesQuery {
  from: Date
  to: Date
  /** How many orders are looked at, newest first. */
  maxOrders: number
}

const selectDailySales = prepare((params: { from: string; to: string; maxOrders: number }) =>
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
    // From the index alone, so that looking for the newest costs little even if there are many.
    .with('newest', (cte) =>
      cte
        .selectFrom('seller')
        .innerJoin('orders', 'orders.seller_id', 'seller.seller_id')
        .select(['orders.seller_id', 'orders.order_id'])
        .where('purchased_at', '>=', params.from)
        .where('purchased_at', '<', params.to)
        .orderBy('purchased_at', 'desc')
        .limit(params.maxOrders),
    )
    .selectFrom('newest')
    .innerJoin('orders', (join) =>
      join.onRef('orders.seller_id', '=', 'newest.seller_id').onRef('orders.order_id', '=', 'newest.order_id'),
    )
    .select((eb) => [
      sql<string>`substr(purchased_at, 1, ${sql.lit(DATE_LENGTH)})`.as('date'),
      'currency_code',
      eb.fn.countAll<number>().as('found'),
      eb.fn.countAll<number>().filterWhere('status', 'not in', NOT_SOLD).as('orders'),
      sql<number>`cast(coalesce(sum((select sum(price_minor) from order_items
        where order_items.seller_id = orders.seller_id and order_items.order_id = orders.order_id))
        filter (where ${eb('status', 'not in', NOT_SOLD)}), 0) as bigint)`.as('revenue_minor'),
    ])
    .groupBy([sql`1`, 'currency_code'])
    .orderBy(sql`1`)
    .orderBy('currency_code'),
)

/**
 * Loads the sales of all sellers, canceled ones excluded. Older orders take no time. If there are more orders than may be
 * looked at, days of which some were not are left out, except the newest.
 */
export async function loadDailySales(reader: Reader, { from, to, maxOrders }: SalesQuery): Promise<Sales> {
  const rows = await reader.all(selectDailySales, { from: from.toISOString(), to: to.toISOString(), maxOrders })
  const found = rows.reduce((sum, row) => sum + row.found, 0)
  const [oldest, newest] = [rows.at(0)?.date, rows.at(-1)?.date]
  const isCut = (date: string) => found === maxOrders && date === oldest && date !== newest
  const days = rows.filter(({ date, orders }) => orders > 0 && !isCut(date))
  return {
    days: days.map((row) => ({
      date: row.date,
      currencyCode: row.currency_code,
      orders: row.orders,
      revenueMinor: row.revenue_minor,
    })),
    completeFrom: found === maxOrders ? (days[0]?.date ?? dateOf(to)) : dateOf(from),
  }
}

const dateOf = (time: Date) => time.toISOString().slice(0, DATE_LENGTH)

/** Counts the orders of all sellers, up to a limit. */
export async function countAllOrders(reader: Reader, limit: number): Promise<number> {
  const some = db.selectFrom('orders').select('order_id').limit(limit).as('some')
  const row = await reader.first(db.selectFrom(some).select((eb) => eb.fn.countAll<number>().as('count')))
  return row?.count ?? 0
}
