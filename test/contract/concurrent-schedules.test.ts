import { beforeAll, describe, expect, test } from 'vitest'
import { countRetries } from '../support/database-retries.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { joinMarketplaces, RETURNS, ReportsClient, SCHEDULES } from '../support/reports.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

const AT_ONCE = 12
const MAX_SCHEDULES = 250

// Two services with ten connections each, on one database. SQLite has one writer at a time.
describe('report schedules that are created at the same time, in two processes on PostgreSQL,', () => {
  let services: TestSouk[]
  let clients: ReportsClient[]
  /** Combinations of marketplaces: each needs a schedule of its own. */
  let combinations: string[][]
  beforeAll(async () => {
    const database = await createPostgresDatabase('schema')
    const first = await startTestSouk({ database })
    services = [first, await startTestSouk({ database })]
    clients = services.map((souk) => new ReportsClient(souk))
    const marketplaces = await joinMarketplaces(first, 9)
    combinations = Array.from({ length: 2 ** marketplaces.length - 1 }, (_, set) =>
      marketplaces.filter((_id, bit) => ((set + 1) >> bit) & 1),
    )
  })

  const client = (index = 0) => clients[index % clients.length] as ReportsClient
  const create = (marketplaceIds: string[] | undefined, index = 0) =>
    client(index).post(SCHEDULES, { reportType: RETURNS, marketplaceIds, period: 'P1D' })
  const list = async (): Promise<object[]> =>
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

  test('are not more than an application may have', async () => {
    const free = MAX_SCHEDULES - (await list()).length - 1
    for (const combination of combinations.splice(0, free)) await create(combination)
    const responses = await Promise.all(combinations.splice(0, AT_ONCE).map(create))
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(AT_ONCE - 1).fill(400)])
    expect(await list()).toHaveLength(MAX_SCHEDULES)
  })
})
