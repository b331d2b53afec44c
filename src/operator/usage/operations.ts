import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import { invalidParameter } from '../../platform/errors/api-error.ts'
import { type PageQuery, readPage } from '../../platform/paging.ts'
import { inSteps, type Sweep } from '../../platform/sweeps.ts'
import { parseTimestamp } from '../../platform/timestamps.ts'
import { deleteUsageBefore, type Interval, listUsage, type UsageRequest, type UsageRow, usageKeyOf } from './store.ts'

const HOUR_MILLISECONDS = 60 * 60 * 1000
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS
export const RETENTION_DAYS = 90
const KEY_PARTS = 4

export interface UsageDependencies {
  database: Database
  clock: Clock
  /** Writes what was counted since the last time. */
  flush(): Promise<void>
}

export type UsageOperations = ReturnType<typeof createUsageOperations>

export function createUsageOperations({ database, clock, flush }: UsageDependencies) {
  return {
    async listUsage({
      from: start,
      to: end,
      interval = 'total',
      ...page
    }: PageQuery & { from?: string | undefined; to?: string | undefined; interval?: Interval | undefined }) {
      // The hour that has just begun, too.
      const to = end === undefined ? new Date(clock.now().getTime() + 1) : parseTimestamp(end)
      const from = start === undefined ? new Date(to.getTime() - DAY_MILLISECONDS) : parseTimestamp(start)
      if (!(from < to)) throw invalidParameter('from', 'must be before to')
      if (to.getTime() - from.getTime() > (RETENTION_DAYS + 1) * DAY_MILLISECONDS) {
        throw invalidParameter('from', `must be at most ${RETENTION_DAYS} days before to`)
      }
      await flush()
      const hours = { from: startOfHour(from), to: startOfHour(new Date(to.getTime() + HOUR_MILLISECONDS - 1)) }
      const list = (request: UsageRequest) => database.read((reader) => listUsage(reader, database.dialect, request))
      const { items, ...next } = await readPage(
        page,
        KEY_PARTS,
        (request) => list({ ...request, ...hours, interval }),
        usageKeyOf,
      )
      return {
        from: hours.from.toISOString(),
        to: hours.to.toISOString(),
        usage: items.map((row) => renderUsage(row, interval)),
        ...next,
      }
    },
  }
}

const startOfHour = (time: Date) => new Date(time.getTime() - (time.getTime() % HOUR_MILLISECONDS))

const REST_OF_TIME = { hour: ':00:00.000Z', day: 'T00:00:00.000Z' } as const

const renderUsage = (row: UsageRow, interval: Interval) => ({
  ...(interval !== 'total' && { time: row.time + REST_OF_TIME[interval] }),
  operation: row.operation,
  applicationId: row.application_id,
  ...(row.seller_id !== '' && { sellerId: row.seller_id }),
  requests: row.succeeded + row.refused + row.failed,
  succeeded: row.succeeded,
  refused: row.refused,
  failed: row.failed,
})

/** Writes the counts regularly, and deletes old ones. */
export const createUsageSweep = (flush: () => Promise<void>): Sweep => ({
  name: 'old usage counts',
  async sweep({ database, clock }, signal) {
    await flush()
    const before = new Date(clock.now().getTime() - RETENTION_DAYS * DAY_MILLISECONDS)
    return inSteps({ database, signal }, (tx, limit) => deleteUsageBefore(tx, before, limit))
  },
})
