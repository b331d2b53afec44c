import { sql } from 'kysely'
import type { Database } from '../../platform/database/port.ts'
import { type PreparedQuery, prepare, queryBuilder } from '../../platform/database/query.ts'
import type { OutboxTables } from '../../platform/outbox/tables.ts'
import type { NotificationTables } from './tables.ts'

// Counting costs as much as there are rows, so it ends here. An operator has to act long before.
const MAX_COUNTED = 10_000

const db = queryBuilder<NotificationTables & OutboxTables>()
type Count = PreparedQuery<object, { count: number }>

const total = sql<number>`count(*)`.as('count')
const one = sql<number>`1`.as('one')

const events: Count = prepare((_: object) =>
  db.selectFrom(db.selectFrom('events').select(one).limit(MAX_COUNTED).as('some')).select(total),
)
const fanOutsIn = (state: string): Count =>
  prepare((_: object) =>
    db
      .selectFrom(db.selectFrom('fan_outs').select(one).where('state', '=', state).limit(MAX_COUNTED).as('some'))
      .select(total),
  )
const deliveriesIn = (state: string): Count =>
  prepare((_: object) =>
    db
      .selectFrom(db.selectFrom('deliveries').select(one).where('state', '=', state).limit(MAX_COUNTED).as('some'))
      .select(total),
  )

const GAUGES: { name: string; help: string; query: Count }[] = [
  { name: 'souk_events_waiting', help: 'Rows of events that were not looked at yet', query: events },
  { name: 'souk_events_pending', help: 'Events in several steps, or to be retried', query: fanOutsIn('PENDING') },
  { name: 'souk_events_queued', help: 'Events that wait for an earlier one', query: fanOutsIn('QUEUED') },
  { name: 'souk_events_dead', help: 'Events that were given up', query: fanOutsIn('DEAD') },
  { name: 'souk_deliveries_pending', help: 'Notifications that have not arrived yet', query: deliveriesIn('PENDING') },
  { name: 'souk_deliveries_dead', help: 'Notifications that were given up', query: deliveriesIn('DEAD') },
]

/** How many events and notifications wait or were given up. Each counts to 10,000 at most. */
export const createNotificationGauges = (database: Database) =>
  GAUGES.map(({ name, help, query }) => ({
    name,
    help: `${help} (counted up to ${MAX_COUNTED})`,
    read: async () => (await database.read((reader) => reader.first(query, {})))?.count ?? 0,
  }))
