import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { LOCKS_SCHEDULES, lockSchedules } from '../../src/areas/reports/schedule-store.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { waitForBlocked } from '../support/blocked-connections.ts'
import { countRetries } from '../support/database-retries.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { DAY, joinMarketplaces, RETURNS, ReportsClient, SCHEDULES } from '../support/reports.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

const db = queryBuilder<Record<string, never>>()

const AT_ONCE = 12
const MAX_SCHEDULES = 250

// Two services with ten connections each, on one database. SQLite has one writer at a time.
describe('report schedules that are created at the same time, in two processes on PostgreSQL,', () => {
  let databaseUrl: string
  let services: TestSouk[]
  let clients: ReportsClient[]
  /** Combinations of marketplaces: each needs a schedule of its own. */
  let combinations: string[][]
  beforeAll(async () => {
    databaseUrl = await createPostgresDatabase('schema')
    const first = await startTestSouk({ database: databaseUrl })
    services = [first, await startTestSouk({ database: databaseUrl })]
    clients = services.map((souk) => new ReportsClient(souk))
    const marketplaces = await joinMarketplaces(first, 9)
    combinations = Array.from({ length: 2 ** marketplaces.length - 1 }, (_, set) =>
      marketplaces.filter((_id, bit) => ((set + 1) >> bit) & 1),
    )
  })

  const client = (index = 0) => clients[index % clients.length] as ReportsClient
  const create = (marketplaceIds: string[] | undefined, index = 0) =>
    client(index).post(SCHEDULES, { reportType: RETURNS, marketplaceIds, period: 'P1D' })
  const list = async (): Promise<{ reportScheduleId: string }[]> =>
    (await client().get(`${SCHEDULES}?reportTypes=${RETURNS}`)).json().reportSchedules

  test('are all created without a conflict', async () => {
    const responses = await Promise.all(combinations.splice(0, AT_ONCE).map(create))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(AT_ONCE).fill(201))
    expect(await list()).toHaveLength(AT_ONCE)
    expect(await countRetries(services, 'conflict')).toBe(0)
  })

  test('replace each other if they are for the same marketplaces', async () => {
    const before = await list()
    const [combination] = combinations.splice(0, 1)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => create(combination, index)))
    expect(await list()).toHaveLength(before.length + 1)
    expect(await countRetries(services, 'conflict')).toBe(0)
  })

  test('wait for each other when they are cancelled and run, before the run locks its job', async () => {
    const admin = new pg.Client(databaseUrl)
    await admin.connect()
    onTestFinished(() => admin.end())
    const someAreBlocked = () => waitForBlocked(admin, (count) => count > 0)
    const jobs = async () =>
      (await admin.query("select from jobs where kind = 'fireReportSchedule' for update skip locked")).rowCount
    const [first] = await list()

    let release = await holdLock()
    const cancelled = client().delete(`${SCHEDULES}/${first?.reportScheduleId}`)
    await someAreBlocked()
    release()
    expect((await cancelled).statusCode).toBe(200)

    const scheduled = await jobs()
    expect(scheduled).toBe((await list()).length)
    release = await holdLock()
    const [souk] = services as [TestSouk]
    souk.clock.advance(DAY)
    await someAreBlocked()
    expect(await jobs()).toBe(scheduled)
    release()
    await Promise.all(services.map((service) => service.idle()))
    expect(await jobs()).toBe(scheduled)
  })

  /** Holds the lock of the seller's schedules, and returns what releases it. */
  async function holdLock(): Promise<() => void> {
    const database = new PostgresDatabase({ url: databaseUrl, poolSize: 1 })
    const released = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const ended = database.transact(async (tx) => {
      await lockSchedules(tx, services[0]?.demo as { sellerId: string })
      await tx.all(db.selectNoFrom(sql`1`.as('one')))
      held.resolve()
      await released.promise
    }, LOCKS_SCHEDULES)
    onTestFinished(async () => {
      released.resolve()
      await ended
      await database.close()
    })
    await held.promise
    return released.resolve
  }

  test('are not more than an application may have', async () => {
    const free = MAX_SCHEDULES - (await list()).length - 1
    for (const combination of combinations.splice(0, free)) await create(combination)
    const responses = await Promise.all(combinations.splice(0, AT_ONCE).map(create))
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(AT_ONCE - 1).fill(400)])
    expect(await list()).toHaveLength(MAX_SCHEDULES)
  })
})
