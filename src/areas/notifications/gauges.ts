import { sql } from 'kysely'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { type PreparedQuery, prepare, queryBuilder } from '../../platform/database/query.ts'
import { createGauge } from '../../platform/metrics/gauge.ts'
import type { Metric } from '../../platform/metrics/port.ts'
import { countEventRows, findOldestEventTime } from '../../platform/outbox/outbox.ts'
import type { NotificationTables } from './tables.ts'

// Counting takes time for each row, so it stops here. An operator has to act long before.
const MAX_COUNTED = 10_000

const db = queryBuilder<NotificationTables>()
type Count = (reader: Reader) => Promise<number>

const total = sql<number>`count(*)`.as('count')
const one = sql<number>`1`.as('one')

const fanOutsIn = (state: string): Count =>
  countWith(
    prepare((_: object) =>
      db
        .selectFrom(db.selectFrom('fan_outs').select(one).where('state', '=', state).limit(MAX_COUNTED).as('some'))
        .select(total),
    ),
  )
const deliveriesIn = (state: string): Count =>
  countWith(
    prepare((_: object) =>
      db
        .selectFrom(db.selectFrom('deliveries').select(one).where('state', '=', state).limit(MAX_COUNTED).as('some'))
        .select(total),
    ),
  )

function countWith(query: PreparedQuery<object, { count: number }>): Count {
  return async (reader) => (await reader.first(query, {}))?.count ?? 0
}

const pendingDeliveries = deliveriesIn('PENDING')
const deadDeliveries = deliveriesIn('DEAD')

/** Counts notifications that were not sent, to 10,000 at most. */
export const countDeliveries = async (reader: Reader) => ({
  pending: await pendingDeliveries(reader),
  dead: await deadDeliveries(reader),
})

const GAUGES: { name: string; help: string; count: Count }[] = [
  {
    name: 'souk_events_waiting',
    help: 'Event rows waiting for fan-out',
    count: (reader) => countEventRows(reader, MAX_COUNTED),
  },
  {
    name: 'souk_events_pending',
    help: 'Events being fanned out or waiting for a retry',
    count: fanOutsIn('PENDING'),
  },
  { name: 'souk_events_queued', help: 'Events waiting for an earlier event', count: fanOutsIn('QUEUED') },
  { name: 'souk_events_dead', help: 'Events given up', count: fanOutsIn('DEAD') },
  { name: 'souk_deliveries_pending', help: 'Pending deliveries', count: pendingDeliveries },
  { name: 'souk_deliveries_dead', help: 'Deliveries given up', count: deadDeliveries },
]

const oldestPending = prepare((_: object) =>
  db
    .selectFrom(
      db.selectFrom('deliveries').select('event_time').where('state', '=', 'PENDING').limit(MAX_COUNTED).as('some'),
    )
    .select((eb) => eb.fn.min<string | null>('event_time').as('oldest')),
)

async function findOldestPendingTime(reader: Reader): Promise<Date | undefined> {
  const { oldest = null } = (await reader.first(oldestPending, {})) ?? {}
  return oldest === null ? undefined : new Date(oldest)
}

/** Gauges of events and deliveries that are waiting or were given up. Each counts to 10,000 at most. */
export function createNotificationGauges({ database, clock }: { database: Database; clock: Clock }): Metric[] {
  const secondsSince = async (find: (reader: Reader) => Promise<Date | undefined>) => {
    const time = await database.read(find)
    return time ? Math.max(clock.now().getTime() - time.getTime(), 0) / 1000 : 0
  }
  return [
    ...GAUGES.map(({ name, help, count }) =>
      createGauge(name, `${help} (counted up to ${MAX_COUNTED})`, () => database.read(count)),
    ),
    createGauge('souk_events_delay_seconds', 'How long the oldest event has waited for fan-out', () =>
      secondsSince(findOldestEventTime),
    ),
    createGauge('souk_deliveries_delay_seconds', 'How long the oldest pending delivery has waited', () =>
      secondsSince(findOldestPendingTime),
    ),
  ]
}
