import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseUnavailableError } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { prepare, prepareLookup, queryBuilder } from '../../src/platform/database/query.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FaultyProxy } from '../support/faulty-proxy.ts'

const db = queryBuilder<{ entries: { name: string; amount: number } }>()
const pid = sql<number>`pg_backend_pid()`.as('pid')
const buildLookup = ({ name }: { name: string }) =>
  db.selectFrom('entries').selectAll().select(pid).where('name', '=', name)
const lookup = prepareLookup(buildLookup)
const query = prepare(buildLookup)
/** Fails for the entry with the amount 0. */
const ratio = prepareLookup(({ name }: { name: string }) =>
  db.selectFrom('entries').select(sql<number>`100 / amount`.as('ratio')).where('name', '=', name),
)
const AT_ONCE = 8

let url: string
let proxy: FaultyProxy
let admin: pg.Client
let database: PostgresDatabase

beforeAll(async () => {
  url = await createPostgresDatabase('nothing')
  admin = new pg.Client(url)
  await admin.connect()
  await admin.query('create table entries (name text primary key, amount int not null)')
  await admin.query("insert into entries select 'entry' || n, n from generate_series(0, 99) n")
})
beforeEach(async () => {
  proxy = await new FaultyProxy(Number(new URL(url).port)).open()
  database = new PostgresDatabase({ url: proxy.through(url), poolSize: 4 })
  onTestFinished(async () => {
    await proxy.set('passing')
    await database.close()
    await proxy.close()
  })
})
afterAll(() => admin.end())

const find = (number: number, statement = lookup) =>
  database.read((reader) => reader.first(statement, { name: `entry${number}` }))
const findAll = (count: number, statement = lookup) =>
  Promise.all(Array.from({ length: count }, (_, number) => find(number, statement)))

describe('lookups on PostgreSQL that begin at the same time', () => {
  test('share a connection, and each gets its own row', async () => {
    const rows = await findAll(AT_ONCE)
    expect(rows.map((row) => row?.amount)).toEqual(rows.map((_, number) => number))
    expect(new Set(rows.map((row) => row?.pid)).size).toBe(1)
    expect(proxy.connections).toBe(1)
  })

  test('are divided over connections if they are many', async () => {
    const rows = await findAll(3 * AT_ONCE)
    expect(rows.map((row) => row?.amount)).toEqual(rows.map((_, number) => number))
    expect(new Set(rows.map((row) => row?.pid)).size).toBe(3)
  })

  test('see what was committed before they began', async () => {
    await admin.query("update entries set amount = 1000 where name = 'entry1'")
    onTestFinished(async () => void (await admin.query("update entries set amount = 1 where name = 'entry1'")))
    expect((await findAll(2))[1]?.amount).toBe(1000)
  })

  test('do not wait for other reads, which can be slow', async () => {
    const rows = await Promise.all([find(1, query), find(2, query), find(3)])
    expect(new Set(rows.map((row) => row?.pid)).size).toBe(3)
  })

  test('do not fail with one of them', async () => {
    const results = await Promise.allSettled(
      [1, 0, 2, 0].map((number) => database.read((reader) => reader.first(ratio, { name: `entry${number}` }))),
    )
    const divisionByZero = { status: 'rejected', reason: { code: '22012' } }
    expect(results).toMatchObject([{ value: { ratio: 100 } }, divisionByZero, { value: { ratio: 50 } }, divisionByZero])
  })

  test('are repeated on another connection if theirs is lost', async () => {
    await find(1)
    let cuts = 0
    await proxy.set('cutting', { cutAfter: (request) => request.includes('entry2') && cuts++ === 0 })
    expect((await findAll(AT_ONCE)).map((row) => row?.amount)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(proxy.connections).toBe(2)
  })

  test('all fail, without further attempts, while the server is unavailable', async () => {
    await proxy.set('refusing')
    const before = proxy.connections
    const results = await Promise.allSettled([find(1), find(2), find(3)])
    expect(results).toEqual(results.map(() => ({ status: 'rejected', reason: expect.any(DatabaseUnavailableError) })))
    expect(proxy.connections).toBe(before)
  })
})
