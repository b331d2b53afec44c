import { sql } from 'kysely'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { type PreparedQuery, prepare, queryBuilder } from '../../platform/database/query.ts'
import { ageInSeconds, createGauge } from '../../platform/metrics/gauge.ts'
import type { Metric } from '../../platform/metrics/port.ts'
import { countEventRows, findOldestEventTime } from '../../platform/outbox/outbox.ts'
import type { NotificationTables } from './tables.ts'

// Counting takes time for each row, so it stops here. An operator has to act long before.
const MAX_COUNTED = 10_000
// Those that have waited longest for a relay come first.
const MAX_DESTINATIONS = 1_000

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
const storedIn = (state: string): Count =>
  countWith(
    prepare((_: object) =>
      db
        .selectFrom(db.selectFrom('deliveries').select(one).where('state', '=', state).limit(MAX_COUNTED).as('some'))
        .select(total),
    ),
  )
const bundled = countWith(
  prepare((_: object) =>
    db
      .selectFrom(db.selectFrom('delivery_bundles').select('size').limit(MAX_COUNTED).as('some'))
      .select(sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('count')),
  ),
)

const failingDestinations = countWith(
  prepare((_: object) =>
    db
      .selectFrom(db.selectFrom('delivery_turns').select(one).where('failures', '>', 0).limit(MAX_COUNTED).as('some'))
      .select(total),
  ),
)

function countWith(query: PreparedQuery<object, { count: number }>): Count {
  return async (reader) => (await reader.first(query, {}))?.count ?? 0
}

const storedPending = storedIn('PENDING')
const pendingDeliveries: Count = async (reader) =>
  Math.min(MAX_COUNTED, (await storedPending(reader)) + (await bundled(reader)))
const deadDeliveries = storedIn('DEAD')

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
  {
    name: 'souk_destinations_failing',
    help: 'Destinations whose last attempt failed, with deliveries that wait for the next',
    count: failingDestinations,
  },
]

// One lookup for each destination: a backlog of one of them does not hide that of another.
const oldestDue = prepare((_: object) =>
  db
    .selectFrom(
      db
        .selectFrom('delivery_turns')
        .select(['application_id', 'destination_id'])
        .where('failures', '=', 0)
        .orderBy('due_at')
        .limit(MAX_DESTINATIONS)
        .as('working'),
    )
    .select(({ selectFrom }) =>
      selectFrom('deliveries')
        .select('deliveries.due_at')
        .where('deliveries.state', '=', 'PENDING')
        .whereRef('deliveries.application_id', '=', 'working.application_id')
        .whereRef('deliveries.destination_id', '=', 'working.destination_id')
        .orderBy('deliveries.due_at')
        .limit(1)
        .as('due_at'),
    )
    .select(({ selectFrom }) =>
      selectFrom('delivery_bundles')
        .select('delivery_bundles.due_at')
        .whereRef('delivery_bundles.application_id', '=', 'working.application_id')
        .whereRef('delivery_bundles.destination_id', '=', 'working.destination_id')
        .orderBy('delivery_bundles.bundle_number')
        .limit(1)
        .as('bundled_at'),
    ),
)

/** Without destinations that fail: they wait for their owners, for up to two weeks. */
async function findOldestDueTime(reader: Reader): Promise<Date | undefined> {
  const times = (await reader.all(oldestDue, {})).flatMap(({ due_at, bundled_at }) =>
    [due_at ?? [], bundled_at ?? []].flat(),
  )
  const [oldest] = times.sort()
  return oldest === undefined ? undefined : new Date(oldest)
}

/** Gauges of events and deliveries that are waiting or were given up. Each counts to 10,000 at most. */
export function createNotificationGauges({ database, clock }: { database: Database; clock: Clock }): Metric[] {
  const secondsSince = async (find: (reader: Reader) => Promise<Date | undefined>) =>
    ageInSeconds(clock, await database.read(find))
  return [
    ...GAUGES.map(({ name, help, count }) =>
      createGauge(name, `${help} (counted up to ${MAX_COUNTED})`, () => database.read(count)),
    ),
    createGauge('souk_events_delay_seconds', 'How long the oldest event has waited for fan-out', () =>
      secondsSince(findOldestEventTime),
    ),
    createGauge(
      'souk_deliveries_delay_seconds',
      'How long the oldest delivery to a destination that does not fail has been due',
      () => secondsSince(findOldestDueTime),
    ),
  ]
}
