import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FaultyProxy } from '../support/faulty-proxy.ts'
import { waitFor } from '../support/wait-for.ts'

const db = queryBuilder<Record<string, never>>()
const one = db.selectNoFrom(sql<number>`1`.as('one'))
const slow = db.selectNoFrom(sql`pg_sleep(3)`.as('slow'))
// As of `souk serve`, and less than the slow statement takes.
const silenceMilliseconds = 1_500
const poolSize = 2

let url: string
let proxy: FaultyProxy
let database: PostgresDatabase

beforeAll(async () => {
  url = await createPostgresDatabase('nothing')
  proxy = await new FaultyProxy(Number(new URL(url).port)).open()
})
beforeEach(async () => {
  await proxy.set('passing')
  const deadlines = { statementSeconds: 100 }
  database = new PostgresDatabase({ url: proxy.through(url), poolSize, deadlines, silenceMilliseconds })
  onTestFinished(() => database.close())
})
afterAll(() => proxy.close())

const read = () => database.read((reader) => reader.all(one))
const nothing = { name: 'NoResponseError', message: 'PostgreSQL responded to nothing for 1500 ms' }
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  )

describe('while PostgreSQL responds to nothing', () => {
  test('statements, new connections, work that waits for one, and readiness fail long before their deadlines', async () => {
    await read()
    await proxy.set('silent')
    const works = Array.from({ length: poolSize + 2 }, read)
    await Promise.all([...works, database.checkWritable()].map((work) => expect(work).rejects.toMatchObject(nothing)))
  })

  test('new work fails without being sent, until there is a response', async () => {
    await read()
    await proxy.set('silent')
    await expect(read()).rejects.toMatchObject(nothing)
    const { connections } = proxy
    for (let count = 0; count < 100; count++) await expect(read()).rejects.toMatchObject(nothing)
    // The probe opens one.
    expect(proxy.connections - connections).toBeLessThanOrEqual(1)
    await proxy.set('passing')
    await waitFor(
      () => messageOf(read()),
      (message) => message === 'done',
    )
    await database.checkWritable()
  })

  test('a commit that was sent is reported as not confirmed', async () => {
    const work = database.transact(async (tx) => {
      await tx.all(one)
      await proxy.set('silent')
    })
    expect(await messageOf(work)).toBe('PostgreSQL did not confirm the commit')
  })
})

test('slow statements that use all connections are not taken for silence, and others wait for them', async () => {
  const works = Array.from({ length: poolSize }, () => database.read((reader) => reader.all(slow)))
  expect(await Promise.all([...works, read()])).toMatchObject([[{}], [{}], [{ one: 1 }]])
})

test('a server that refuses connections is not silent: each request gets that error at once', async () => {
  await read()
  await proxy.set('refusing')
  expect(await messageOf(read())).toMatch('nothing listens at')
  await proxy.set('passing')
  expect(await messageOf(read())).toBe('done')
})
