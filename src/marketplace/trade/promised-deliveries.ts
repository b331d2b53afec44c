import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import type { TradeTables } from './tables.ts'

/** The delivery date replaces missing promised dates. */
export type PromisedTime = 'earliest' | 'latest'

const db = queryBuilder<TradeTables>()

/**
 * Prepares a query for delivered orders whose buyers accept requests, in the order of their promised times, and with a
 * condition on the caller's own tables.
 */
export const preparePromisedDeliveries = (promise: PromisedTime, condition: RawBuilder<SqlBool>) => {
  const time = sql<string>`coalesce(${sql.ref(`${promise}_delivery_at`)}, delivered_at)`
  return prepare((params: { after: string; limit: number }) =>
    db
      .selectFrom('orders')
      .select(['seller_id', 'order_id', time.as('delivery_at')])
      .where('delivered_at', 'is not', null)
      .where('buyer_accepts_requests', '=', 1)
      .where(time, '>', params.after)
      .where(condition)
      .orderBy(time)
      .orderBy('seller_id')
      .orderBy('order_id')
      .limit(params.limit),
  )
}
