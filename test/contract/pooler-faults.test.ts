import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Reader } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { prepare, queryBuilder } from '../../src/platform/database/query.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FaultyProxy } from '../support/faulty-proxy.ts'

const db = queryBuilder<{ entries: { value: number } }>()
const insert = prepare((row: { value: number }) => db.insertInto('entries').values({ ...row }))
const insertReturning = prepare((row: { value: number }) =>
  db
    .insertInto('entries')
    .values({ ...row })
    .returning('value'),
)
const reset = prepare((_: object) =>
  db.selectNoFrom(
    ['statement_timeout', 'enable_seqscan'].map((name) =>
      sql`set_config(${name}, ${name === 'statement_timeout' ? '0' : 'on'}, false)`.as(name),
    ),
  ),
)
const settings = prepare((_: object) =>
  db.selectNoFrom([
    sql<string>`current_setting('statement_timeout')`.as('deadline'),
    sql<string>`current_setting('enable_seqscan')`.as('plans'),
  ]),
)
const parse = prepare((params: { text: string }) => db.selectNoFrom([sql`${params.text}::int`.as('number')]))
const echo = prepare((params: { text: string }) => db.selectNoFrom([sql`${params.text}::text`.as('text')]))

// A message is a letter, four bytes with the length of the rest, and the rest.
const PARSE = 'P'.charCodeAt(0)

let url: string
let admin: pg.Client

beforeAll(async () => {
  url = await createPostgresDatabase('nothing')
  admin = new pg.Client(url)
  await admin.connect()
  await admin.query('create table entries (value int)')
})
afterAll(() => admin.end())

async function openThroughPooler(...fault: Parameters<FaultyProxy['set']>): Promise<PostgresDatabase> {
  const { hostname, port } = new URL(url)
  const pooler = new FaultyProxy(Number(port), hostname)
  pooler.isPooler = true
  await pooler.set(...fault)
  const database = new PostgresDatabase({ url: pooler.through(url), poolSize: 1 })
  onTestFinished(async () => {
    await pooler.close()
    await database.close()
  })
  return database
}

function fatalError(code: string): string {
  const fields = `SFATAL\0VFATAL\0C${code}\0Mthe pooler gives up\0\0`
  return `E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`
}

const whens: [string, () => Promise<void>][] = [
  ['at once', async () => {}],
  ['after other work', () => new Promise((resolve) => setImmediate(resolve))],
]

describe('behind a pooler', () => {
  test.each(['57P01', '25P03', '08P01'])(
    'a transaction that may have been committed before the pooler failed with %s is not repeated',
    async (code) => {
      const database = await openThroughPooler('cutting', { cutAfter: 'commit', cutWith: fatalError(code) })
      const value = Number.parseInt(code, 36)
      const work = database.transact(async (tx) => {
        await tx.all(db.selectFrom('entries').selectAll())
        await tx.runEach(insert, [{ value }])
      })
      await expect(work).rejects.toThrow('PostgreSQL')
      expect((await admin.query('select from entries where value = $1', [value])).rowCount).toBe(1)
    },
  )

  test.each(whens)(
    'a write that returns rows is not committed by itself if BEGIN has failed: sent %s',
    async (_when, otherWork) => {
      const database = await openThroughPooler('spoiling', { spoiled: 'begin' })
      const failing = database.transact(async (tx) => {
        await otherWork()
        return tx.all(insertReturning, { value: 404 })
      })
      await expect(failing).rejects.toThrow('syntax error')
      expect((await admin.query('select from entries where value = 404')).rowCount).toBe(0)
      expect(await database.transact((tx) => tx.all(echo, { text: 'sent' }))).toEqual([{ text: 'sent' }])
    },
  )

  test.each(whens)(
    'writes whose results nobody awaits are not acknowledged if BEGIN has failed: committed %s',
    async (_when, otherWork) => {
      const database = await openThroughPooler('spoiling', { spoiled: 'begin' })
      const failing = database.transact(async (tx) => {
        await tx.runEach(insert, [{ value: 405 }])
        await otherWork()
      })
      await expect(failing).rejects.toThrow('syntax error')
      expect((await admin.query('select from entries where value = 405')).rowCount).toBe(0)
    },
  )

  test('a transaction has the settings that its connection may lack', async () => {
    const database = await openThroughPooler('passing')
    await database.read((reader) => reader.all(reset, {}))
    const read = (tx: Reader) => tx.all(settings, {})
    expect(await database.read(read)).toEqual([{ deadline: '0', plans: 'on' }])
    expect(await database.transact(read)).toEqual([{ deadline: '15s', plans: 'off' }])
  })

  test('that remembers the names of statements which were not prepared, they are sent without a name', async () => {
    const names = new Set<string>()
    const repeatsName = (bytes: Buffer) => {
      let isRepeated = false
      // The first message has no letter.
      for (let at = bytes[0] === 0 ? bytes.length : 0; at < bytes.length; at += bytes.readInt32BE(at + 1) + 1) {
        const name = bytes.toString('latin1', at + 5, bytes.indexOf(0, at + 5))
        if (bytes[at] !== PARSE || name === '') continue
        isRepeated ||= names.has(name)
        names.add(name)
      }
      return isRepeated
    }
    const database = await openThroughPooler('cutting', { cutAfter: repeatsName, cutWith: fatalError('08P01') })
    const failing = database.transact((tx) =>
      Promise.all([tx.all(parse, { text: 'none' }), tx.all(echo, { text: 'skipped' })]),
    )
    await expect(failing).rejects.toThrow('invalid input syntax')
    expect(await database.read((reader) => reader.all(echo, { text: 'sent' }))).toEqual([{ text: 'sent' }])
    expect(names.size).toBeGreaterThan(0)
  })
})
