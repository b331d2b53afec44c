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
import type { TransactionFigures } from './watched-transactions.ts'

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

export async function expectEachNotifiedOnce(database: Database, subscribers: number) {
  expect(await count(database, 'deliveries')).toBe(subscribers)
  const distinct = db.selectFrom('deliveries').select(sql<number>`count(distinct subscription_id)`.as('count'))
  expect((await database.transact((tx) => tx.first(distinct)))?.count).toBe(subscribers)
  expect([await count(database, 'events'), await count(database, 'fan_outs')]).toEqual([0, 0])
}

const PROCESS = fileURLToPath(new URL('./fan-out-process.ts', import.meta.url))
const HEAP_MEGABYTES = 64

/** Starts a relay in a separate process. */
export const startRelay = ({ kind, location }: Marketplace) =>
  startMeasured<Memory & TransactionFigures>(PROCESS, [kind, location], HEAP_MEGABYTES)

/** Repeats a small write until isOver returns true. Returns the sorted waits in milliseconds. */
async function writeUntil(database: Database, isOver: (writes: number) => boolean): Promise<number[]> {
  const waits: number[] = []
  while (!isOver(waits.length)) {
    const name = `Name ${waits.length}`
    const before = performance.now()
    await database.transact((tx) =>
      tx.run(db.updateTable('marketplaces').set({ name }).where('marketplace_id', '=', US)),
    )
    waits.push(performance.now() - before)
    await sleep(2)
  }
  return waits.sort((one, other) => one - other)
}

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
  const { idle, most, mostRows, p99Milliseconds } = await relay.ended
  const figures = {
    seconds: (performance.now() - startedAt) / 1000,
    idleMegabytes: idle,
    mostMegabytes: most,
    p50: percentile(waits, 0.5),
    p99: percentile(waits, 0.99),
    longest: waits.at(-1) as number,
    p99WhenIdle: percentile(idleWaits, 0.99),
    mostRows,
    p99OfRelay: p99Milliseconds,
  }
  const rounded = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`)
  console.log(`${what} on ${kind}: ${rounded.join(', ')}`)
  return { kind, ...figures }
}

// The target is 50 ms on an idle machine. A busy machine takes many times as long, so these bounds compare what is the same on
// every machine: a writer waits for few transactions of the relay, and each of these changes few rows.
const MAX_WAITED_TRANSACTIONS = 5
const MAX_SHARE_OF_LONGEST = 1 / 4
/** Of a delivery: its own, that of its window, and that of the delivery that it replaces. */
const ROWS_PER_DELIVERY = 3
const MAX_DELIVERIES_PER_STEP = { sqlite: 250, postgres: 1_000 }

export function expectOthersDoNotWait(figures: Awaited<ReturnType<typeof relayAll>>): void {
  const { kind, mostRows, p99, p99OfRelay, longest, seconds } = figures
  expect(mostRows).toBeGreaterThan(0)
  expect(mostRows).toBeLessThanOrEqual(ROWS_PER_DELIVERY * MAX_DELIVERIES_PER_STEP[kind])
  expect(p99).toBeLessThan(MAX_WAITED_TRANSACTIONS * p99OfRelay)
  expect(longest).toBeLessThan(seconds * 1000 * MAX_SHARE_OF_LONGEST)
}
