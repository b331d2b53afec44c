import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { openDatabase } from '../../src/composition/adapters.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { US } from '../support/listings.ts'
import { temporaryFolder } from '../support/souk-process.ts'
import { addApplications } from '../support/subscribers.ts'
import { startMeasured } from './measured-process.ts'
import type { Memory } from './memory.ts'
import { percentile } from './percentile.ts'
import { millisecondsNow, type TransactionFigures, type WatchedTransaction } from './watched-transactions.ts'

export const APPLICATION = 'the-application'

/** A database, and how another process opens it. */
export interface Marketplace {
  kind: 'sqlite' | 'postgres'
  location: string
  database: Database
}

export const databases = {
  async SQLite(): Promise<Marketplace> {
    const location = join(temporaryFolder(), 'souk.db')
    return { kind: 'sqlite', location, database: await openDatabase({ kind: 'sqlite', path: location }) }
  },
  async PostgreSQL(): Promise<Marketplace> {
    const location = await createPostgresDatabase('schema')
    return {
      kind: 'postgres',
      location,
      database: await openDatabase({ kind: 'postgres', url: location, poolSize: 4 }),
    }
  },
}

export async function openMarketplace(open: () => Promise<Marketplace>): Promise<Marketplace> {
  const marketplace = await open()
  const { database } = marketplace
  await migrateDatabase(database, new SystemClock())
  await addApplications(database, [APPLICATION])
  return marketplace
}

interface Tables {
  deliveries: { subscription_id: string; event_id: string }
  events: { event_id: string }
  fan_outs: { event_id: string }
  marketplaces: { marketplace_id: string; name: string }
}
const db = queryBuilder<Tables>()

export const count = async (database: Database, table: keyof Tables): Promise<number> => {
  const query = db.selectFrom(table).select(sql<number>`count(*)`.as('count'))
  return (await database.transact((tx) => tx.first(query)))?.count ?? 0
}

/** The subscriptions of all stored deliveries: one by one, and on PostgreSQL in bundles. */
const notified = ({ dialect }: Database) => sql<{ subscription_id: string }>`(
  select subscription_id from deliveries
  ${
    dialect === 'postgres'
      ? sql`union all select entry ->> 3 from delivery_bundles, json_array_elements(deliveries::json) as entry`
      : sql``
  }
)`

export const countDeliveries = async (database: Database): Promise<number> => {
  const query = db.selectFrom(notified(database).as('notified')).select(sql<number>`count(*)`.as('count'))
  return (await database.transact((tx) => tx.first(query)))?.count ?? 0
}

export async function expectEachNotifiedOnce(database: Database, subscribers: number) {
  expect(await countDeliveries(database)).toBe(subscribers)
  const distinct = db
    .selectFrom(notified(database).as('notified'))
    .select(sql<number>`count(distinct subscription_id)`.as('count'))
  expect((await database.transact((tx) => tx.first(distinct)))?.count).toBe(subscribers)
  expect([await count(database, 'events'), await count(database, 'fan_outs')]).toEqual([0, 0])
}

const PROCESS = fileURLToPath(new URL('./fan-out-process.ts', import.meta.url))
const HEAP_MEGABYTES = 64

/** Starts a relay in a separate process. */
export const startRelay = ({ kind, location }: Marketplace) =>
  startMeasured<Memory & TransactionFigures>(PROCESS, [kind, location], HEAP_MEGABYTES)

interface Wait {
  from: number
  to: number
}

/** Repeats a small write until isOver returns true. Returns how long each one took. */
export async function writeUntil(database: Database, isOver: (writes: number) => boolean): Promise<Wait[]> {
  const waits: Wait[] = []
  while (!isOver(waits.length)) {
    const name = `Name ${waits.length}`
    const from = millisecondsNow()
    await database.transact((tx) =>
      tx.run(db.updateTable('marketplaces').set({ name }).where('marketplace_id', '=', US)),
    )
    waits.push({ from, to: millisecondsNow() })
    await sleep(2)
  }
  return waits
}

const p99 = (values: readonly number[]) => percentile(sorted(values), 0.99)
const sorted = (values: readonly number[]) => values.toSorted((one, other) => one - other)
const durationsOf = (waits: readonly Wait[]) => sorted(waits.map(({ from, to }) => to - from))

/** How much CPU time other transactions had, at most, while the longest percent of the writes waited, in milliseconds. */
export const p99OfWork = (waits: readonly Wait[], transactions: readonly WatchedTransaction[]) =>
  p99(
    waits.map((wait) =>
      transactions.reduce((sum, { from, to, cpuMilliseconds }) => {
        const shared = Math.min(wait.to, to) - Math.max(wait.from, from)
        return shared > 0 ? sum + (cpuMilliseconds * shared) / (to - from) : sum
      }, 0),
    ),
  )

const WRITES_WHEN_IDLE = 300

/** Runs a relay until it is idle while others write. Returns the waits, durations and memory. */
export async function relayAll(marketplace: Marketplace, what: string) {
  const { database, kind } = marketplace
  const idleWaits = await writeUntil(database, (writes) => writes >= WRITES_WHEN_IDLE)
  const relay = startRelay(marketplace)
  await relay.started
  const startedAt = performance.now()
  let isOver = false
  const over = relay.ended.finally(() => {
    isOver = true
  })
  over.catch(() => {})
  const waits = await writeUntil(database, () => isOver)
  const { idle, most, mostRows, p99Milliseconds, transactions } = await relay.ended
  const durations = durationsOf(waits)
  const figures = {
    seconds: (performance.now() - startedAt) / 1000,
    idleMegabytes: idle,
    mostMegabytes: most,
    p50: percentile(durations, 0.5),
    p99: percentile(durations, 0.99),
    longest: durations.at(-1) as number,
    p99WhenIdle: percentile(durationsOf(idleWaits), 0.99),
    mostRows,
    p99OfRelay: p99Milliseconds,
    p99OfWork: p99OfWork(waits, transactions),
  }
  const rounded = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`)
  console.log(`${what} on ${kind}: ${rounded.join(', ')}`)
  return { kind, ...figures }
}

// A wait of 50 ms is the target where nothing else runs. A busy machine takes many times as long, so what is compared
// is what it does not change: how much work of others a writer waits for. On PostgreSQL it waits for none, because it
// shares no row with them.
const MAX_WAITED_CPU_MILLISECONDS = 50
const MAX_WAITED_TRANSACTIONS = 5
const MAX_SHARE_OF_LONGEST = 1 / 4
/** Of a delivery: its own, that of its window, and that of the delivery that it replaces. */
const ROWS_PER_DELIVERY = 3
const MAX_DELIVERIES_PER_STEP = { sqlite: 250, postgres: 1_000 }

export function expectOthersDoNotWait(figures: Awaited<ReturnType<typeof relayAll>>): void {
  const { mostRows, longest, seconds, kind } = figures
  expect(mostRows).toBeGreaterThan(0)
  expect(mostRows).toBeLessThanOrEqual(ROWS_PER_DELIVERY * MAX_DELIVERIES_PER_STEP[kind])
  if (kind === 'sqlite') expectShortWaits(figures)
  expect(figures.p99).toBeLessThan(MAX_WAITED_TRANSACTIONS * figures.p99OfRelay)
  expect(longest).toBeLessThan(seconds * 1000 * MAX_SHARE_OF_LONGEST)
}

/** On SQLite. */
export function expectShortWaits({ p99OfWork }: { p99OfWork: number }): void {
  expect(p99OfWork).toBeGreaterThan(0)
  expect(p99OfWork).toBeLessThan(MAX_WAITED_CPU_MILLISECONDS)
}
