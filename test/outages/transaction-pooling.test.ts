import { setImmediate as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { prepare, queryBuilder } from '../../src/platform/database/query.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FeedsClient, partialUpdate, summary } from '../support/feeds.ts'
import { listingsClient, newShoe, setPrice } from '../support/listings.ts'
import { hasPgBouncer, keepsPreparedStatements, startPgBouncer } from '../support/pgbouncer.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { waitFor } from '../support/wait-for.ts'

const AT_ONCE = 20
const CONNECTIONS = 3
const SESSION = queryBuilder<Record<string, never>>().selectNoFrom([
  sql<number>`pg_backend_pid()`.as('pid'),
  sql<string>`current_setting('statement_timeout')`.as('statement'),
  sql<string>`current_setting('lock_timeout')`.as('lock'),
  sql<string>`current_setting('idle_in_transaction_session_timeout')`.as('idle'),
])
async function readSession(tx: Transaction) {
  const row = await tx.first(SESSION)
  if (!row) throw new Error('no row')
  return row
}
const MESSAGES = 100

describe.runIf(hasPgBouncer)('behind PgBouncer with transaction pooling', () => {
  let pgBouncer: Awaited<ReturnType<typeof startPgBouncer>>
  let url: string
  let direct: string
  beforeAll(async () => {
    direct = await createPostgresDatabase('schema')
    pgBouncer = await startPgBouncer(direct, { connections: CONNECTIONS })
    url = pgBouncer.urlOf(new URL(direct).pathname.slice(1))
  })
  afterAll(() => pgBouncer.stop())

  test('concurrent transactions of two processes succeed, and each warns once if its statements are not kept', async () => {
    const warnings: string[][] = [[], []]
    const databases = warnings.map((own) => {
      const logger = { warn: (_: object, message: string) => own.push(message), error: () => {} }
      return new PostgresDatabase({ url, poolSize: 10, logger: logger as never })
    })
    const db = queryBuilder<{ settings: { name: string; value: string } }>()
    const add = prepare((row: { name: string; value: string }) => db.insertInto('settings').values({ ...row }))
    const find = prepare((params: { name: string }) =>
      db.selectFrom('settings').select('value').where('name', '=', params.name),
    )
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const database = databases[index % databases.length] as PostgresDatabase
        const name = `pooled-${index}`
        await database.transact(async (tx) => {
          expect(await tx.first(find, { name })).toBeUndefined()
          await tx.runEach(add, [{ name, value: String(index) }])
          await tx.lock('name', [name], 'exclusive')
        })
        expect(await database.read((reader) => reader.first(find, { name }))).toEqual({ value: String(index) })
      }),
    )
    await Promise.all(databases.map((database) => database.close()))
    const expected = keepsPreparedStatements ? [] : [expect.stringContaining('does not keep prepared statements')]
    expect(warnings).toEqual([expected, expected])
  })

  test('a transaction has its deadlines on every connection of the pooler', async () => {
    const database = new PostgresDatabase({
      url,
      poolSize: 1,
      deadlines: { lockSeconds: 4, idleTransactionSeconds: 21 },
    })
    const { pid } = await database.transact(readSession)
    const holders = await holdConnections(pid)
    const { pid: other, ...deadlines } = await database.transact(readSession)
    expect(other).not.toBe(pid)
    expect(deadlines).toEqual({ statement: '15s', lock: '4s', idle: '21s' })
    await Promise.all([database.close(), ...holders.map((client) => client.end())])
  })

  /** Keeps the connection of this process busy, so that the pooler has to use another one. */
  async function holdConnections(pid: number): Promise<pg.Client[]> {
    const holders: pg.Client[] = []
    for (;;) {
      const client = new pg.Client(url)
      await client.connect()
      await client.query('begin')
      const { rows } = await client.query('select pg_backend_pid() as pid')
      holders.push(client)
      if (rows[0].pid !== pid) continue
      for (const one of holders.slice(0, -1)) await one.query('rollback')
      return holders
    }
  }

  describe('whose connections are all busy with slow statements of a process', () => {
    const SLOW_SECONDS = 4
    const slow = queryBuilder<Record<string, never>>().selectNoFrom(sql`pg_sleep(${SLOW_SECONDS})`.as('slow'))
    const settings = queryBuilder<{ settings: { name: string; value: string } }>()
    let admin: pg.Client
    let database: PostgresDatabase
    let logged: string[]
    beforeEach(async () => {
      logged = []
      const log = (message: string) => logged.push(message)
      const logger = { info: log, warn: (_: object, message: string) => log(message), error: () => {} }
      database = new PostgresDatabase({
        url,
        poolSize: CONNECTIONS,
        silenceMilliseconds: 1_000,
        logger: logger as never,
      })
      admin = new pg.Client(direct)
      await admin.connect()
      // Opens its connections.
      await Promise.all(Array.from({ length: CONNECTIONS }, () => database.transact(readSession)))
    })
    afterEach(async () => {
      await Promise.all([database.close(), admin.end()])
    })
    const work = () =>
      database
        .read((reader) => reader.all(slow))
        .then(
          () => 'done',
          (error: Error) => error.name,
        )
    const countRunning = async () => {
      const { rows } = await admin.query<{ count: string }>(
        `select count(*) from pg_stat_activity where state = 'active' and query like '%pg_sleep%'
          and datname = current_database() and pid <> pg_backend_pid()`,
      )
      return Number(rows[0]?.count)
    }

    /** Also those that wait for their next statement, which could be a commit. */
    const countTransactions = async () => {
      const { rows } = await admin.query<{ count: string }>(
        `select count(*) from pg_stat_activity
          where xact_start is not null and datname = current_database() and pid <> pg_backend_pid()`,
      )
      return Number(rows[0]?.count)
    }

    test('the server never runs more of them than the pooler has connections, however often they are repeated', async () => {
      let isOver = false
      let refused = 0
      const clients = Array.from({ length: 2 * CONNECTIONS }, async () => {
        while (!isOver) {
          if ((await work()) === 'NoResponseError') refused++
          await pause()
        }
      })
      let most = 0
      await waitFor(
        async () => {
          most = Math.max(most, await countRunning())
          return logged.filter((message) => message === 'PostgreSQL responds again').length
        },
        (recoveries) => recoveries >= 2,
      )
      isOver = true
      await Promise.all(clients)
      expect(refused).toBeGreaterThan(CONNECTIONS)
      expect(most).toBe(CONNECTIONS)
    })

    test('a transaction that is given up writes nothing later', async () => {
      const add = settings.insertInto('settings').values({ name: 'late', value: 'late' })
      const late = database.transact(async (tx) => {
        await tx.run(add)
        await tx.all(slow)
      })
      const others = Array.from({ length: CONNECTIONS - 1 }, work)
      await expect(late).rejects.toThrow('PostgreSQL responded to nothing')
      await Promise.all(others)
      await waitFor(countTransactions, (count) => count === 0)
      const { rows } = await admin.query(`select name from settings where name = 'late'`)
      expect(rows).toEqual([])
    })
  })

  test('patches and a feed are applied', async () => {
    const souk: TestSouk = await startTestSouk({ database: url })
    const listings = listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
    const feeds = new FeedsClient(souk)
    const shoes = Array.from({ length: MESSAGES }, (_, index) => ({
      ...partialUpdate(`POOLED-${index}`, newShoe()),
      operationType: 'UPDATE',
    }))
    const feedId = await feeds.submitted(feeds.document(shoes))
    const patches = Array.from({ length: AT_ONCE }, (_, index) =>
      listings.patch('SOUK-SHOE-001', [setPrice(40 + index)]),
    )
    expect((await Promise.all(patches)).map(({ statusCode }) => statusCode)).toEqual(Array(AT_ONCE).fill(200))
    await souk.idle()
    expect((await feeds.report(await feeds.feed(feedId))).summary).toEqual(summary(MESSAGES))
    await souk.stop()
  })
})
