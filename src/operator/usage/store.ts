import { sql } from 'kysely'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { isAfter } from '../../platform/database/tuples.ts'
import type { PageRequest } from '../../platform/paging.ts'
import type { UsageTables } from './tables.ts'
import type { UsageCount } from './usage-counter.ts'

const db = queryBuilder<UsageTables>()
const PRIMARY_KEY = ['hour', 'operation', 'application_id', 'seller_id'] as const

/** Adds to the counts of other processes and of earlier flushes. Takes 1,000 at most. */
export async function addUsage(tx: Transaction, counts: readonly UsageCount[]): Promise<void> {
  await tx.run(
    db
      .insertInto('usage_counts')
      .values(counts.map(toRow))
      .onConflict((conflict) =>
        conflict.columns(PRIMARY_KEY).doUpdateSet((eb) => ({
          succeeded: eb('usage_counts.succeeded', '+', eb.ref('excluded.succeeded')),
          refused: eb('usage_counts.refused', '+', eb.ref('excluded.refused')),
          failed: eb('usage_counts.failed', '+', eb.ref('excluded.failed')),
        })),
      ),
  )
}

/** How much of the time of an hour names the interval. */
const TIME_LENGTHS = { hour: 13, day: 10, total: 0 } as const
export type Interval = keyof typeof TIME_LENGTHS

const KEY = ['time', 'operation', 'application_id', 'seller_id'] as const

const sumOf = (column: 'succeeded' | 'refused' | 'failed') =>
  sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as(column)

/** Sums the counts of a period by interval, operation, application and seller. */
export async function listUsage(
  reader: Reader,
  { from, to, interval, after, limit }: PageRequest & { from: Date; to: Date; interval: Interval },
) {
  const time = sql<string>`substr(hour, 1, ${sql.lit(TIME_LENGTHS[interval])})`
  const sums = db
    .selectFrom('usage_counts')
    .select([time.as('time'), 'operation', 'application_id', 'seller_id'])
    .select([sumOf('succeeded'), sumOf('refused'), sumOf('failed')])
    .where('hour', '>=', from.toISOString())
    .where('hour', '<', to.toISOString())
    .groupBy([sql`1`, 'operation', 'application_id', 'seller_id'])
    .as('sums')
  let query = db.selectFrom(sums).selectAll().limit(limit)
  for (const column of KEY) query = query.orderBy(column)
  if (after) query = query.where(isAfter(KEY, after))
  return reader.all(query)
}

export type UsageRow = Awaited<ReturnType<typeof listUsage>>[number]
export const usageKeyOf = (row: UsageRow): string[] => KEY.map((column) => row[column])

export async function deleteUsageBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('usage_counts')
    .select([...PRIMARY_KEY])
    .where('hour', '<', before.toISOString())
    .orderBy('hour')
    .limit(limit)
  return tx.run(
    db.deleteFrom('usage_counts').where(sql<boolean>`(${sql.join(PRIMARY_KEY.map((one) => sql.ref(one)))}) in ${old}`),
  )
}

const toRow = ({ hour, operation, applicationId, sellerId, succeeded, refused, failed }: UsageCount) => ({
  hour: hour.toISOString(),
  operation,
  application_id: applicationId,
  seller_id: sellerId ?? '',
  succeeded,
  refused,
  failed,
})
