import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, expect } from 'vitest'
import { openDatabase } from '../../src/composition/adapters.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { NODE_COMPILE_CACHE } from '../support/compile-cache.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { US } from '../support/listings.ts'
import { temporaryFolder } from '../support/souk-process.ts'
import { addApplications } from '../support/subscribers.ts'

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
// With a large heap V8 defers garbage collection, up to 200 MB in a long run. A small heap shows the memory that is
// needed. A process that needs more, for more subscribers, crashes.
const SMALL_HEAP = ['--max-old-space-size=64', '--max-semi-space-size=4']

const children = new Set<ChildProcess>()
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

/** Starts a relay in a separate process. */
export function startRelay({ kind, location }: Marketplace) {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  const env = { ...process.env, NODE_COMPILE_CACHE }
  const child = fork(PROCESS, [kind, location], { stdio: [...stdio], execArgv: SMALL_HEAP, env })
  children.add(child)
  const started = once(child, 'message')
  const failed = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The relay ended without a result: ${code ?? signal}`)
  })
  const result = started.then(() => once(child, 'message')).then(([figures]) => figures as Memory)
  const ended = Promise.race([result, failed])
  // A test that kills a relay does not wait for its result.
  ended.catch(() => {})
  return { child, started, ended }
}

/** In megabytes. */
interface Memory {
  idle: number
  most: number
}

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

const percentile = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] as number

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
  const { idle, most } = await relay.ended
  const figures = {
    seconds: (performance.now() - startedAt) / 1000,
    idleMegabytes: idle,
    mostMegabytes: most,
    p50: percentile(waits, 0.5),
    p99: percentile(waits, 0.99),
    longest: waits.at(-1) as number,
    p99WhenIdle: percentile(idleWaits, 0.99),
  }
  const rounded = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`)
  console.log(`${what} on ${kind}: ${rounded.join(', ')}`)
  return figures
}

// The target is 50 ms on an idle machine. These bounds do not prove it, because a busy machine takes many times as long. They
// catch a fan-out in few transactions, on any machine. The output includes the wait without a relay.
const MAX_SHARE_OF_P99 = 1 / 10
const MAX_SHARE_OF_LONGEST = 1 / 4

export function expectOthersDoNotWait({ p99, longest, seconds }: Record<'p99' | 'longest' | 'seconds', number>): void {
  expect(p99).toBeLessThan(seconds * 1000 * MAX_SHARE_OF_P99)
  expect(longest).toBeLessThan(seconds * 1000 * MAX_SHARE_OF_LONGEST)
}
