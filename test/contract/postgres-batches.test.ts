import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Statement } from '../../src/platform/database/postgres-batch.ts'
import { NO_DEADLINE, PostgresClient } from '../../src/platform/database/postgres-client.ts'
import { SkippedStatementError } from '../../src/platform/database/postgres-errors.ts'
import { createPostgresDatabase } from '../support/databases.ts'

const select = (value: number): Statement => ({ name: 'select', text: 'select $1::int as value', values: [value] })
const insert = (value: number): Statement => ({
  name: 'insert',
  text: 'insert into entries values ($1)',
  values: [value],
})
const other: Statement = { name: 'other', text: 'select count(*)::int as count from entries' }
const wrongNumber: Statement = { ...insert(1), values: ['not a number'] }
const begin: Statement = { text: 'begin', queryMode: 'extended' }
const isSkipped = { status: 'rejected', reason: expect.any(SkippedStatementError) }
const isDuplicate = { status: 'rejected', reason: expect.objectContaining({ code: '23505' }) }

let url: string
let client: PostgresClient
let rounds: number
let descriptions: number

const send = (statement: Statement) => client.send(statement, NO_DEADLINE)
const sendAll = (...statements: Statement[]) => Promise.allSettled(statements.map(send))

async function connect(): Promise<PostgresClient> {
  const connected = new PostgresClient({ connectionString: url, pipeline: true })
  await connected.connect()
  onTestFinished(() => connected.end())
  return connected
}

beforeAll(async () => {
  url = await createPostgresDatabase('nothing')
})
beforeEach(async () => {
  client = await connect()
  await send({ text: 'drop table if exists entries; create table entries (value int primary key)' })
  rounds = 0
  descriptions = 0
  client.connection.on('rowDescription', () => {
    descriptions++
  })
  client.connection.on('readyForQuery', () => {
    rounds++
  })
})

describe('statements that are sent to PostgreSQL in one tick', () => {
  test('get their responses in one round, each its own', async () => {
    const [, first, inserted, text, none] = await Promise.all([
      send(begin),
      send(select(1)),
      send(insert(2)),
      send({ text: `select $1 as text`, values: ['unnamed'] }),
      send({ name: 'none', text: 'delete from entries where value = $1', values: [3] }),
    ])
    await send({ text: 'commit', queryMode: 'extended' })
    expect([first?.rows, inserted?.rowCount, text?.rows, none?.rowCount]).toEqual([
      [{ value: 1 }],
      1,
      [{ text: 'unnamed' }],
      0,
    ])
    expect(rounds).toBe(2)
    expect((await send(other)).rows).toEqual([{ count: 1 }])
  })

  test('keep their order around a text of several statements', async () => {
    const [first, both, last] = await Promise.all([
      send(other),
      send({ text: 'insert into entries values (1); insert into entries values (2)' }),
      send(other),
    ])
    expect([first?.rows, last?.rows]).toEqual([[{ count: 0 }], [{ count: 2 }]])
    expect(both).toHaveLength(2)
  })

  test('are skipped after one of them that fails, and say so', async () => {
    await send(insert(1))
    const responses = await sendAll(begin, insert(2), insert(1), other, { text: 'commit', queryMode: 'extended' })
    expect(responses).toMatchObject([{ value: {} }, { value: { rowCount: 1 } }, isDuplicate, isSkipped, isSkipped])
    await client.rollback(NO_DEADLINE)
    expect((await send(other)).rows).toEqual([{ count: 1 }])
  })

  test('can be sent again after a failure, whether PostgreSQL has prepared them or not', async () => {
    await send({ text: 'insert into entries values (1)' })
    // Prepared, but failed; not prepared, because it was skipped; not prepared, because it is wrong.
    expect(await sendAll(insert(1), select(1), other)).toMatchObject([isDuplicate, isSkipped, isSkipped])
    const wrong: Statement = { name: 'wrong', text: 'select * from nothing' }
    expect(await sendAll(wrong)).toMatchObject([{ reason: { code: '42P01' } }])
    await send({ text: 'create table nothing ()' })
    expect(await sendAll(wrong, insert(2), select(2), other)).toMatchObject([
      { value: { rows: [] } },
      { value: { rowCount: 1 } },
      { value: { rows: [{ value: 2 }] } },
      { value: { rows: [{ count: 2 }] } },
    ])
  })

  test('do not disturb those that were sent in the next tick, before the response', async () => {
    const failing = sendAll(begin, wrongNumber, other)
    await new Promise((resolve) => process.nextTick(resolve))
    const next = sendAll({ text: 'rollback', queryMode: 'extended' }, other, select(3))
    expect(await failing).toMatchObject([{ value: {} }, { reason: { code: '22P02' } }, isSkipped])
    expect(await next).toMatchObject([
      { value: { command: 'ROLLBACK' } },
      { value: { rows: [{ count: 0 }] } },
      { value: { rows: [{ value: 3 }] } },
    ])
  })

  test('all fail with the connection', async () => {
    const admin = await connect()
    const waiting = sendAll(select(1), { text: 'select pg_sleep(60)' }, other)
    const { rows } = await admin.send(
      { text: 'select pg_backend_pid() as own, $1::int as pid', values: [client.processID] },
      NO_DEADLINE,
    )
    await expect
      .poll(
        async () =>
          (
            await admin.send(
              { text: "select from pg_stat_activity where query like '%pg_sleep(60)' and pid <> pg_backend_pid()" },
              NO_DEADLINE,
            )
          ).rowCount,
      )
      .toBe(1)
    await admin.send({ text: 'select pg_terminate_backend($1)', values: [rows[0].pid] }, NO_DEADLINE)
    expect(await waiting).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }, { status: 'rejected' }])
    expect(client.isLost).toBe(true)
  })

  test('with a value that cannot be sent end the connection, so that no response goes astray', async () => {
    const circular: { self?: object } = {}
    circular.self = circular
    const responses = await sendAll(select(1), { text: 'select $1', values: [circular] }, select(2))
    expect(responses.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(client.isLost).toBe(true)
  })

  test('are not acknowledged if they fail when they are committed', async () => {
    await send({ text: 'create temporary table parents (id int primary key)' })
    await send({
      text: 'create temporary table children (parent int references parents deferrable initially deferred)',
    })
    const inserted = sendAll(select(1), { text: 'insert into children values ($1)', values: [5] })
    expect(await inserted).toMatchObject([{ status: 'fulfilled' }, { reason: { code: '23503' } }])
  })

  test('may have one without text', async () => {
    const [none, next] = await Promise.all([send({ text: '', queryMode: 'extended' }), send(select(7))])
    expect([none?.rows, next?.rows]).toEqual([[], [{ value: 7 }]])
  })

  test('keep their connection if a rollback is one of them', async () => {
    expect(await Promise.all([sendAll(wrongNumber), client.rollback(NO_DEADLINE)])).toMatchObject([
      [{ reason: { code: '22P02' } }],
      undefined,
    ])
    expect(client.unusableReason).toBeUndefined()
  })

  test('end the timer of the driver, if the URL of the database has one', async () => {
    const timed = new PostgresClient({ connectionString: `${url}?query_timeout=100`, pipeline: true })
    await timed.connect()
    onTestFinished(() => timed.end())
    await timed.send(select(1), NO_DEADLINE)
    for (let naps = 0; naps < 3; naps++) await timed.send({ text: 'select pg_sleep($1)', values: [0.05] }, NO_DEADLINE)
    expect(timed.isLost).toBe(false)
  })
})

describe('a statement that PostgreSQL keeps prepared', () => {
  const entries: Statement = { name: 'entries', text: 'select * from entries' }

  test('has its rows described once', async () => {
    await sendAll(insert(1), entries, select(2))
    expect(descriptions).toBe(2)
    const again = await sendAll(
      entries,
      insert(3),
      select(4),
      { text: 'select 5 as five', queryMode: 'extended' },
      entries,
    )
    expect(again).toMatchObject([
      { value: { rows: [{ value: 1 }] } },
      { value: { rows: [], rowCount: 1 } },
      { value: { rows: [{ value: 4 }] } },
      { value: { rows: [{ five: 5 }] } },
      { value: { rows: [{ value: 1 }, { value: 3 }] } },
    ])
    expect(descriptions).toBe(3)
  })

  test('has them described each time behind a pooler, where the next connection may see another table', async () => {
    client.isPooled = true
    for (const value of [1, 2]) {
      await send(insert(value))
      await send(entries)
    }
    expect(descriptions).toBe(2)
  })

  test('fails after its table has changed, and its connection is not used again', async () => {
    await send(entries)
    await send({ text: `alter table entries add column name text not null default 'new'` })
    await expect(send(entries)).rejects.toMatchObject({ code: '0A000' })
    expect(client.unusableReason).toBeDefined()
    client = await connect()
    await send(insert(1))
    expect((await send(entries)).rows).toEqual([{ value: 1, name: 'new' }])
  })
})
