import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'

interface Tables {
  jobs: { job_id: string; run_at: string; kind: string }
  events: { event_id: string }
  subscriptions: { subscription_id: string }
  fan_outs: { event_id: string; state: string }
  deliveries: { delivery_id: string; state: string; due_at: string }
  delivery_bundles: { bundle_number: number }
  given_up_jobs: { job_id: string; kind: string; last_error: string }
  simulated_events: { position: number; seller_id: string; event_type: string; payload: string }
}
const db = queryBuilder<Tables>()
const count = sql<number>`count(*)`.as('count')

/** Counts jobs that are due, and events and notifications that are on their way. */
export function countWork(database: Database, now: Date): Promise<Record<string, number>> {
  const soon = new Date(now.getTime() + 60_000).toISOString()
  const counts = {
    jobs: db.selectFrom('jobs').select(count).where('run_at', '<=', soon),
    // Without subscriptions they stay until they are old.
    events: db
      .selectFrom('events')
      .select(count)
      .where(({ exists, selectFrom }) => exists(selectFrom('subscriptions').select('subscription_id'))),
    fanOuts: db.selectFrom('fan_outs').select(count),
    deliveries: db.selectFrom('deliveries').select(count),
    bundles: db.selectFrom('delivery_bundles').select(count),
  }
  return database.read(async (reader) => {
    const left: Record<string, number> = {}
    for (const [name, query] of Object.entries(counts)) left[name] = Number((await reader.first(query))?.count ?? 0)
    return left
  })
}

export const isDone = (left: Record<string, number>) => Object.values(left).every((number) => number === 0)

export function listGivenUpJobs(database: Database) {
  return database.read((reader) => reader.all(db.selectFrom('given_up_jobs').select(['kind', 'last_error'])))
}

export async function lastEvent(database: Database): Promise<number> {
  const query = db.selectFrom('simulated_events').select(sql<number>`max(position)`.as('last'))
  return Number((await database.read((reader) => reader.first(query)))?.last ?? 0)
}

export interface LoggedEvent {
  position: number
  sellerId: string
  type: string
  payload: unknown
}

/** Every event that was committed, in order. A row of the outbox may have several. */
export async function listEvents(database: Database): Promise<LoggedEvent[]> {
  const query = db.selectFrom('simulated_events').selectAll().orderBy('position')
  return (await database.read((reader) => reader.all(query))).flatMap((row) => {
    const common = { position: Number(row.position), sellerId: row.seller_id }
    const payload = JSON.parse(row.payload)
    if (row.event_type !== '*') return [{ ...common, type: row.event_type, payload }]
    return (payload as [string, unknown][]).map(([type, one]) => ({ ...common, type, payload: one }))
  })
}
