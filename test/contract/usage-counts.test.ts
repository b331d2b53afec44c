import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { createUsageFlush } from '../../src/operator/usage/flush.ts'
import { listUsage } from '../../src/operator/usage/store.ts'
import { MAX_ENTRIES, UsageCounter } from '../../src/operator/usage/usage-counter.ts'
import type { Caller } from '../../src/platform/auth/caller.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import { type Database, DatabaseUnavailableError } from '../../src/platform/database/port.ts'
import { kindsOnDisk } from '../support/databases.ts'

const SELLERS = 2_500
const PROCESSES = 4
const logger = pino({ enabled: false })

const callerOf = (seller: number): Caller => ({ kind: 'seller', applicationId: 'app', sellerId: `seller-${seller}` })

describe.each(Object.entries(kindsOnDisk))('counts of requests on %s', (_kind, open) => {
  let database: Database
  let discard: () => void
  const clock = new ManualClock('2026-06-01T12:00:00Z')
  beforeEach(async () => {
    ;({ database, discard } = await open({ hasSchema: true }))
    await migrateDatabase(database, clock)
  })
  afterEach(async () => {
    await database.close()
    discard()
  })

  /** A process that has counted one request of each seller. Returns the function that writes the counts. */
  function countRequests(target: Database, { lastFirst = false } = {}) {
    const counter = new UsageCounter(clock, () => {})
    const count = counter.forOperation('getAccount')
    for (let index = 0; index < SELLERS; index++) count(callerOf(lastFirst ? SELLERS - 1 - index : index), 200)
    return createUsageFlush({ database: target, counter, logger })
  }

  const written = async () => {
    const period = { from: new Date('2026-06-01T12:00:00Z'), to: new Date('2026-06-01T13:00:00Z') }
    const request = { ...period, interval: 'total', limit: 2 * SELLERS } as const
    const rows = await database.read((reader) => listUsage(reader, database.dialect, request))
    return rows.map(({ succeeded }) => succeeded)
  }

  test('of several processes are added up when all write at the same time, and none repeats a transaction', async () => {
    let retries = 0
    const watched: Database = {
      ...boundTo(database),
      transact: (work, options) => database.transact(work, { ...options, onRetry: () => retries++ }),
    }
    const flushes = Array.from({ length: PROCESSES }, (_, index) =>
      countRequests(watched, { lastFirst: index % 2 === 1 }),
    )
    await Promise.all(flushes.map((flush) => flush()))
    expect(await written()).toEqual(Array(SELLERS).fill(PROCESSES))
    expect(retries).toBe(0)
  })

  test('that could not be written are written the next time, and those before them only once', async () => {
    let transactions = 0
    const failing: Database = {
      ...boundTo(database),
      transact: (work, options) =>
        ++transactions === 2 ? Promise.reject(new DatabaseUnavailableError('gone')) : database.transact(work, options),
    }
    const flush = countRequests(failing)
    await expect(flush()).rejects.toThrow('gone')
    expect(await written()).toHaveLength(1_000)
    await flush()
    expect(await written()).toEqual(Array(SELLERS).fill(1))
  })
})

/** The methods that a flush uses. */
const boundTo = (database: Database) => ({ dialect: database.dialect }) as Database

test('counts are to be written when half of what a process keeps is used, and the rest is reported', () => {
  let flushes = 0
  const counter = new UsageCounter(new ManualClock('2026-06-01T12:00:00Z'), () => flushes++)
  const count = counter.forOperation('getAccount')
  for (let seller = 0; seller < MAX_ENTRIES / 2 - 1; seller++) count(callerOf(seller), 200)
  expect(flushes).toBe(0)
  count(callerOf(MAX_ENTRIES / 2 - 1), 200)
  expect(flushes).toBe(1)
  for (let seller = MAX_ENTRIES / 2; seller < MAX_ENTRIES + 7; seller++) count(callerOf(seller), 200)
  expect([counter.takeUncounted(), counter.takeUncounted()]).toEqual([7, 0])
  expect(counter.take()).toHaveLength(MAX_ENTRIES)
})
