import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Transaction } from '../../src/platform/database/port.ts'
import { prepared } from '../../src/platform/database/postgres-batch.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { PostgresPool } from '../../src/platform/database/postgres-pool.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { createPostgresDatabase } from '../support/databases.ts'

const db = queryBuilder<{ events: { name: string } }>()
const addEvent = db.insertInto('events').values({ name: 'happened' })
const BLOCKER = 4711
const waitForBlocker = db.selectNoFrom(sql`pg_advisory_xact_lock(${BLOCKER})`.as('locked'))

let url: string
let admin: pg.Client
let database: PostgresDatabase

beforeAll(async () => {
  url = await createPostgresDatabase('nothing')
  admin = new pg.Client(url)
  await admin.connect()
  await admin.query('create table events (name text not null)')
})
beforeEach(async () => {
  await admin.query('truncate events')
  database = new PostgresDatabase({ url, poolSize: 4 })
  onTestFinished(() => database.close())
})
afterAll(() => admin.end())

const BEGIN = prepared('begin')

describe('a transaction of PostgreSQL', () => {
  test('begins without settings if there is no pooler, because its connection has them', async () => {
    const pool = new PostgresPool({ url, poolSize: 1 })
    onTestFinished(() => pool.close())
    expect(await pool.withClient(async (client) => pool.begin(client, BEGIN))).toEqual({ begin: BEGIN })
  })

  test('runs again if the table of locks was full, because others release theirs', async () => {
    let attempts = 0
    await database.transactSchema(async (tx) => {
      await tx.run(addEvent)
      if (++attempts < 3) await tx.execute(`do $$ begin raise exception 'simulated' using errcode = '53200'; end $$`)
    })
    expect(attempts).toBe(3)
    expect((await admin.query('select from events')).rowCount).toBe(1)
  })

  test.each(['rolled back', 'committed'])('that is being %s refuses further statements', async (end) => {
    const mistake = new Error('a mistake in the work')
    let kept: Transaction | undefined
    await admin.query('select pg_advisory_lock($1)', [BLOCKER])
    const work = database.transact(async (tx) => {
      kept = tx
      await tx.run(addEvent)
      // The response to its end waits for this statement.
      tx.first(waitForBlocker).catch(() => {})
      if (end === 'rolled back') throw mistake
    })
    const outcome = work.catch((error: unknown) => error)
    while (!kept) await setImmediate()
    await database.read((reader) => reader.all(db.selectFrom('events').selectAll()))
    const late = kept.run(addEvent).catch((error: unknown) => error)
    await admin.query('select pg_advisory_unlock($1)', [BLOCKER])
    expect(await late).toMatchObject({ message: expect.stringContaining('has ended') })
    expect(await outcome).toBe(end === 'rolled back' ? mistake : undefined)
    expect((await admin.query('select from events')).rowCount).toBe(end === 'rolled back' ? 0 : 1)
  })
})
