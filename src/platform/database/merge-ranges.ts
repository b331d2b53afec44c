import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.ts'

type Query = RawBuilder<unknown>

interface MergedOrder {
  /** Names of columns, such as `at desc, order_id desc`. Each range is an index in this order. */
  order: Query
  limit: number
}

/**
 * Selects the first rows of several ranges, without reading more of them. SQLite merges ranges that are in no order of
 * their own. PostgreSQL merges those that are, and would read and sort the others whole. The limit in each of them lets
 * it choose an index.
 */
export function mergeRanges(dialect: Dialect, ranges: readonly Query[], { order, limit }: MergedOrder): Query {
  const inOrder = sql` order by ${order} limit ${limit}`
  // SQLite accepts no parentheses here.
  const parts = dialect === 'sqlite' || ranges.length === 1 ? ranges : ranges.map((range) => sql`(${range}${inOrder})`)
  return sql`${sql.join(parts, sql` union all `)}${inOrder}`
}
