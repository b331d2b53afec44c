import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import {
  addUsage,
  type Interval,
  listUsage,
  type UsageRequest,
  type UsageRow,
  usageKeyOf,
} from '../../src/operator/usage/store.ts'
import type { UsageCount } from '../../src/operator/usage/usage-counter.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { chunks } from '../../src/platform/database/tuples.ts'
import { kindsOnDisk } from '../support/databases.ts'

const HOUR = 3_600_000
const PERIOD = { from: new Date('2026-06-01T12:00:00Z'), to: new Date('2026-06-04T12:00:00Z') }
const ROWS_READ = queryBuilder<Record<string, never>>().selectNoFrom(
  sql<number>`(select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
      from pg_stat_xact_user_tables where relname = 'usage_counts')`.as('count'),
)

/** The same sums, by a plain loop. */
function sumsOf(counts: readonly UsageCount[], interval: Interval): [key: string, succeeded: number][] {
  const sums = new Map<string, number>()
  for (const { hour, operation, applicationId, sellerId, succeeded } of counts) {
    const time = hour.toISOString().slice(0, { hour: 13, day: 10, total: 0 }[interval])
    const key = [time, operation, applicationId, sellerId].join(' ')
    sums.set(key, (sums.get(key) ?? 0) + succeeded)
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1))
}

describe.each(Object.entries(kindsOnDisk))('stored counts of requests on %s', (_kind, open) => {
  let database: Database
  let discard: () => void
  beforeEach(async () => {
    ;({ database, discard } = await open({ hasSchema: true }))
    await migrateDatabase(database, new ManualClock('2026-06-01T12:00:00Z'))
  })
  afterEach(async () => {
    await database.close()
    discard()
  })

  test.each(['hour', 'day', 'total'] as const)('are summed by %s, in pages of any size', async (interval) => {
    const counts = await addCounts({ hours: 30, sellers: 3 })
    const expected = sumsOf(counts, interval)
    for (const limit of [7, 40, 1_000]) {
      const listed: [string, number][] = []
      let after: string[] | undefined
      for (;;) {
        const page = await listPage({ interval, limit, ...(after && { after }) })
        listed.push(...page.map((row): [string, number] => [usageKeyOf(row).join(' '), row.succeeded]))
        if (page.length < limit) break
        after = usageKeyOf(page.at(-1) as UsageRow)
      }
      expect(listed, `pages of ${limit}`).toEqual(expected)
    }
  })

  test('are read in part for a page on PostgreSQL', async () => {
    if (database.dialect !== 'postgres') return
    const hours = 12
    const counts = await addCounts({ hours, sellers: 100 })
    // As autovacuum does.
    await database.transactSchema((tx) => tx.execute('analyze usage_counts'))
    const limit = 5
    for (const [interval, time] of Object.entries({ hour: '2026-06-01T20', day: '2026-06-01', total: '' })) {
      const after = [time, 'getOrders', 'app-1', 'seller-50']
      const read = await database.transact(async (tx) => {
        const before = await tx.first(ROWS_READ)
        await listUsage(tx, database.dialect, { ...PERIOD, interval: interval as Interval, limit, after })
        return ((await tx.first(ROWS_READ))?.count ?? 0) - (before?.count ?? 0)
      })
      expect(read, interval).toBeGreaterThanOrEqual(limit)
      expect(read, interval).toBeLessThanOrEqual(hours * limit)
    }
    expect(counts.length).toBeGreaterThan(1_000)
  })

  const listPage = (page: Pick<UsageRequest, 'interval' | 'limit' | 'after'>) =>
    database.read((reader) => listUsage(reader, database.dialect, { ...PERIOD, ...page }))

  /** Of two operations and two applications, in each hour from noon on, with gaps. */
  async function addCounts({ hours, sellers }: { hours: number; sellers: number }): Promise<UsageCount[]> {
    const counts: UsageCount[] = []
    for (let index = 0; index < hours * sellers * 4; index++) {
      const [hour, seller] = [Math.floor(index / 4 / sellers), Math.floor(index / 4) % sellers]
      if (sellers < 10 && (hour + seller + index) % 3 === 0) continue
      counts.push({
        hour: new Date(PERIOD.from.getTime() + hour * HOUR),
        operation: ['getAccount', 'getOrders'][index % 2] as string,
        applicationId: `app-${Math.floor(index / 2) % 2}`,
        sellerId: `seller-${seller}`,
        succeeded: index,
        refused: 1,
        failed: 2,
      })
    }
    for (const some of chunks(counts, 1_000)) await database.transact((tx) => addUsage(tx, some))
    return counts
  }
})
