import { type AliasedExpression, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { isAfter } from '../../platform/database/tuples.ts'
import type { PageRequest } from '../../platform/paging.ts'
import type { UsageTables } from './tables.ts'
import type { UsageCount } from './usage-counter.ts'

const db = queryBuilder<UsageTables>()
const HOUR_MILLISECONDS = 60 * 60 * 1000
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

export interface UsageRequest extends PageRequest {
  from: Date
  to: Date
  interval: Interval
}

/** Sums the counts of a period by interval, operation, application and seller. */
export async function listUsage(reader: Reader, dialect: Dialect, request: UsageRequest) {
  const { interval, after, limit } = request
  const time = sql<string>`substr(hour, 1, ${sql.lit(TIME_LENGTHS[interval])})`
  const sums = db
    .selectFrom(countsFor(request, dialect))
    .select([time.as('time'), 'operation', 'application_id', 'seller_id'])
    .select([sumOf('succeeded'), sumOf('refused'), sumOf('failed')])
    .groupBy([sql`1`, 'operation', 'application_id', 'seller_id'])
    .as('sums')
  let query = db.selectFrom(sums).selectAll().limit(limit)
  for (const column of KEY) query = query.orderBy(column)
  if (after) query = query.where(isAfter(KEY, after))
  return reader.all(query)
}

type Counts = AliasedExpression<UsageTables['usage_counts'], 'counts'>

/** The counts of which a page is summed. An installation may have millions of them in a day. */
function countsFor(request: UsageRequest, dialect: Dialect): Counts {
  const { from, to, interval, after, limit } = request
  if (interval !== 'hour' && dialect === 'postgres') return firstOfEachHour(request)
  let query = db
    .selectFrom('usage_counts')
    .selectAll()
    .where('hour', '>=', from.toISOString())
    .where('hour', '<', to.toISOString())
  // SQLite has no lateral joins, and is for one machine.
  if (interval !== 'hour') return query.as('counts')
  for (const column of PRIMARY_KEY) query = query.orderBy(column)
  if (after) query = query.where(isAfter(PRIMARY_KEY, [`${after[0]}:00:00.000Z`, ...after.slice(1)]))
  return query.limit(limit).as('counts')
}

/**
 * The first sums have no other counts than the first ones of each hour, as many as there are sums. So a page reads a few of
 * each hour, in the order of the primary key, and not all of them.
 */
function firstOfEachHour({ from, to, interval, after, limit }: UsageRequest): Counts {
  const length = TIME_LENGTHS[interval]
  const hours = hoursBetween(from, to).filter((hour) => !after || hour.slice(0, length) >= (after[0] as string))
  // Of the interval in which the page before ended, those after its last sum; of later ones, all.
  const isNext = after
    ? sql`(operation, application_id, seller_id) > (${sql.join(
        after
          .slice(1)
          .map(
            (part) => sql`case when substr(hours.hour, 1, ${sql.lit(length)}) = ${after[0]} then ${part} else '' end`,
          ),
      )})`
    : sql`true`
  return sql<UsageTables['usage_counts']>`(
    select found.* from json_array_elements_text(${JSON.stringify(hours)}::json) as hours(hour)
    cross join lateral (
      select * from usage_counts where usage_counts.hour = hours.hour and ${isNext}
      order by operation, application_id, seller_id limit ${limit}
    ) as found
  )`.as<'counts'>(sql`counts`)
}

function hoursBetween(from: Date, to: Date): string[] {
  const hours: string[] = []
  for (let time = from.getTime(); time < to.getTime(); time += HOUR_MILLISECONDS)
    hours.push(new Date(time).toISOString())
  return hours
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
