import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseUnavailableError } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { LostConnections, OWN_SESSION } from '../../src/platform/database/postgres-lost-connections.ts'
import { prepare, queryBuilder } from '../../src/platform/database/query.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FaultyProxy } from '../support/faulty-proxy.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { waitFor } from '../support/wait-for.ts'

const db = queryBuilder<Record<string, never>>()
const several = queryBuilder<{ several: { id: number; value: number } }>()
const READ_COMMITTED = { isolation: 'read committed' } as const
const counters = queryBuilder<{ counters: { value: number } }>()
const one = db.selectNoFrom(sql<number>`1`.as('one'))
const slow = db.selectNoFrom(sql`pg_sleep(3)`.as('slow'))
// As PgBouncer, which has the code of protocol violations for everything.
const refused = db.selectNoFrom(sql`refuse()`.as('refused'))
const createRefuse = `create function refuse() returns int language plpgsql as $$
  begin raise exception 'server login has been failing' using errcode = '08P01'; end $$`
// As of `souk serve`, and less than the slow statement takes.
const silenceMilliseconds = 1_500
const poolSize = 2
const A_LONG_TIME = 1_000_000

const logged: string[] = []
const logger = {
  info: (message: string) => logged.push(message),
  warn: (_: object, message: string) => logged.push(message),
  error: () => {},
}

let url: string
let proxy: FaultyProxy
let database: PostgresDatabase

beforeAll(async () => {
  url = await createPostgresDatabase('nothing')
  const admin = new pg.Client(url)
  await admin.connect()
  await admin.query(createRefuse)
  await admin.end()
  proxy = await new FaultyProxy(Number(new URL(url).port)).open()
})
beforeEach(async () => {
  await proxy.set('passing')
  proxy.isPooler = false
  logged.length = 0
  database = open()
})
afterAll(() => proxy.close())

const openWithoutClosing = (deadlines = {}, options = {}) =>
  new PostgresDatabase({
    url: proxy.through(url),
    poolSize,
    deadlines: { statementSeconds: 100, ...deadlines },
    silenceMilliseconds,
    logger: logger as never,
    ...options,
  })

function open(deadlines = {}, options = {}): PostgresDatabase {
  const opened = openWithoutClosing(deadlines, options)
  onTestFinished(() => opened.close())
  return opened
}

const read = () => database.read((reader) => reader.all(one))
const nothing = { name: 'NoResponseError', message: 'PostgreSQL responded to nothing for 1500 ms' }
const readGauge = async (name: string) => {
  const samples = await database.metrics.find((metric) => metric.name === name)?.read()
  return samples?.[0]?.value ?? Number.NaN
}
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
    // It has a deadline of its own, which is earlier on a machine that is too busy to count the time.
    const readiness = expect(database.checkWritable()).rejects.toThrow(DatabaseUnavailableError)
    await Promise.all(works.map((work) => expect(work).rejects.toMatchObject(nothing)))
    await readiness
  })

  test('work that waited for a connection opens none after it has failed', async () => {
    await Promise.all([database.checkWritable(), ...Array.from({ length: poolSize }, read)])
    await proxy.set('silent')
    const works = Array.from({ length: 5 * poolSize }, read)
    await Promise.all(works.map((work) => expect(work).rejects.toMatchObject(nothing)))
    const { connections } = proxy
    await waitFor(
      async () => (await readGauge('souk_database_waiting')) + (await readGauge('souk_database_connections')),
      (count) => count === 0,
    )
    // The probe opens one.
    expect(proxy.connections - connections).toBeLessThanOrEqual(1)
  })

  test('new work fails without being sent, until there is a response, and a metric says so', async () => {
    await read()
    expect(await readGauge('souk_database_silent')).toBe(0)
    await proxy.set('silent')
    await expect(read()).rejects.toMatchObject(nothing)
    expect(await readGauge('souk_database_silent')).toBe(1)
    const { connections } = proxy
    for (let count = 0; count < 100; count++) await expect(read()).rejects.toMatchObject(nothing)
    // The probe opens one.
    expect(proxy.connections - connections).toBeLessThanOrEqual(1)
    await proxy.set('passing')
    await waitFor(
      () => messageOf(read()),
      (message) => message === 'done',
    )
    expect(await readGauge('souk_database_silent')).toBe(0)
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

test('a server whose first connection takes longer is not taken for silent', async () => {
  database = open({ connectSeconds: 50 })
  await proxy.set('delaying', { delayed: 'user', delayMilliseconds: 2 * silenceMilliseconds })
  expect(await messageOf(read())).toBe('done')
  expect(logged).toEqual([])
})

test('a pooler that responds late to each statement is used again when it has responded to the probe', async () => {
  proxy.isPooler = true
  await read()
  await proxy.set('delaying', { delayed: 'select 1', delayMilliseconds: 3_500 })
  await expect(read()).rejects.toMatchObject(nothing)
  await waitFor(
    // As a balancer does meanwhile.
    () => messageOf(database.checkWritable()).then(() => logged),
    (messages) => messages.includes('PostgreSQL responds again'),
  )
})

test('what waits in the queue of a pooler without a server fails, even if the pooler refuses other statements at once', async () => {
  proxy.isPooler = true
  await read()
  await proxy.set('delaying', { delayed: 'select 1', delayMilliseconds: 3_500 })
  let isOver = false
  const waiting = messageOf(database.read((reader) => reader.all(slow))).finally(() => {
    isOver = true
  })
  while (!isOver) {
    expect(await messageOf(database.read((reader) => reader.all(refused)))).toMatch(/login has been failing|to nothing/)
    await nextTurn()
  }
  expect(await waiting).toBe(nothing.message)
})

test('slow statements that use all connections are not taken for silence, and others wait for them', async () => {
  // Opens the connection of the probe, as a balancer does.
  await database.checkWritable()
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

describe('behind a pooler', () => {
  // Nothing may have to wait for these.
  const late = { connectSeconds: 50, idleTransactionSeconds: 100 }
  beforeEach(() => {
    proxy.isPooler = true
    database = open(late)
  })
  const readAtOnce = () => Promise.all(Array.from({ length: 2 * poolSize }, () => messageOf(read())))
  const isHeardAgain = () =>
    waitFor(
      () => logged,
      (messages) => messages.includes('PostgreSQL responds again'),
    )

  test('connections whose packets are lost take no place in the pool when new ones work', async () => {
    await Promise.all([database.checkWritable(), readAtOnce()])
    proxy.loseOpenConnections()
    expect(await readAtOnce()).toEqual(Array(2 * poolSize).fill(nothing.message))
    await isHeardAgain()
    expect(await readAtOnce()).toEqual(Array(2 * poolSize).fill('done'))
    // They are open until their statements end.
    expect(await readGauge('souk_database_connections')).toBe(2 * poolSize)
  })

  test('a transaction that goes on after it was given up sends nothing more', async () => {
    await Promise.all([database.checkWritable(), read()])
    const work = database.transact(async (tx) => {
      await tx.all(one)
      proxy.loseOpenConnections()
      // As code does that can do without the result.
      await tx.all(one).catch(() => [])
    })
    expect(await messageOf(work)).toBe(nothing.message)
  })

  test('closing does not wait for a statement that was given up', async () => {
    const closed = openWithoutClosing(late)
    await Promise.all([closed.checkWritable(), closed.read((reader) => reader.all(one))])
    let closing: Promise<void> | undefined
    const work = closed.transact(async (tx) => {
      await tx.all(one)
      proxy.loseOpenConnections()
      await tx.all(one).catch(() => [])
      closing = closed.close()
    })
    expect(await messageOf(work)).toBe(nothing.message)
    await closing
  })
})

describe('while connections are lost and new ones work', () => {
  beforeEach(() => {
    database = open({ idleTransactionSeconds: 100 })
  })

  /** Opens all connections of the pool. */
  const fill = () => Promise.all(Array.from({ length: poolSize }, read))

  test.each(['idle', 'in use'])(
    'a read is repeated on one that works, if those that are %s are lost',
    async (place) => {
      await fill()
      const reads = place === 'idle' ? [] : [messageOf(database.read((reader) => reader.all(slow)))]
      proxy.loseOpenConnections()
      reads.push(messageOf(read()))
      expect(await Promise.all(reads)).toEqual(reads.map(() => 'done'))
      expect(logged).not.toContain(nothing.message)
      expect(logged.some((message) => message.includes('packets'))).toBe(true)
    },
  )

  test('a read is repeated, also if the connection that finds those that are lost is lost with them', async () => {
    await Promise.all([database.checkWritable(), fill()])
    // It is open as long as statements are slow, and a moment longer.
    await database.read((reader) => reader.all(slow))
    proxy.loseOpenConnections()
    expect(await messageOf(read())).toBe('done')
    expect(logged.some((message) => message.includes('packets'))).toBe(true)
  })

  test('one that is lost before its first response is replaced', async () => {
    await read()
    // So that the next read needs another connection.
    const inUse = messageOf(database.read((reader) => reader.all(slow)))
    const { delays } = proxy
    await proxy.set('delaying', { delayed: 'statement_timeout', delayMilliseconds: A_LONG_TIME })
    const result = messageOf(read())
    await waitFor(
      () => proxy.delays,
      (count) => count > delays,
    )
    await proxy.set('passing')
    expect(await Promise.all([inUse, result])).toEqual(['done', 'done'])
  })

  test('a transaction is repeated, and need not wait for the locks of its first attempt', async () => {
    await database.transactSchema(async (tx) => {
      await tx.execute('create table counters (value integer)')
      await tx.execute('insert into counters values (0)')
    })
    let attempts = 0
    const count = await database.transact(async (tx) => {
      const row = await tx.first(counters.updateTable('counters').set({ value: sql`value + 1` }).returning('value'))
      if (attempts++ === 0) proxy.loseOpenConnections()
      await tx.all(one)
      return row?.value
    })
    expect([attempts, count]).toEqual([2, 1])
  })

  test('several transactions are repeated, also if the connection that ends their sessions is lost, too', async () => {
    await database.transactSchema(async (tx) => {
      await tx.execute('create table several (id integer primary key, value integer)')
      await tx.execute(`insert into several select id, 0 from generate_series(1, ${poolSize}) as id`)
    })
    const { delays } = proxy
    let first = 0
    const allHaveWritten = Promise.withResolvers<void>()
    const increment = (id: number) =>
      database.transact(async (tx) => {
        await tx.run(several.updateTable('several').set({ value: sql`value + 1` }).where('id', '=', id))
        if (++first === poolSize) {
          proxy.loseOpenConnections()
          await proxy.set('delaying', { delayed: 'pg_terminate_backend', delayMilliseconds: A_LONG_TIME })
          allHaveWritten.resolve()
        }
        await allHaveWritten.promise
        await tx.all(one)
      }, READ_COMMITTED)
    const works = [increment(1), increment(2)].map(messageOf)
    await waitFor(
      () => proxy.delays,
      (count) => count > delays,
    )
    await proxy.set('passing')
    // A connection is replaced once. Those whose connection is lost again get an error, the others must not.
    expect(await Promise.all(works)).toContain('done')
  })

  test('the sessions of idle ones end with them', async () => {
    const admin = new pg.Client(url)
    await admin.connect()
    onTestFinished(() => admin.end())
    const findSessions = async (): Promise<number[]> => {
      const { rows } = await admin.query('select pid from pg_stat_activity where datname = current_database()')
      return rows.map(({ pid }) => pid)
    }
    const others = await findSessions()
    await fill()
    const opened = (await findSessions()).filter((pid) => !others.includes(pid))
    expect(opened).toHaveLength(poolSize)
    proxy.loseOpenConnections()
    await read()
    await waitFor(findSessions, (pids) => !opened.some((pid) => pids.includes(pid)))
  })

  test('a statement of a role that sees nothing of its session is waited for', async () => {
    const admin = new pg.Client(url)
    await admin.connect()
    await admin.query("create role souk_owner; create role souk_login login password 'secret' in role souk_owner")
    await admin.query('alter role souk_login set role souk_owner')
    onTestFinished(async () => {
      await database.close()
      await admin.query('drop role souk_login; drop role souk_owner')
      await admin.end()
    })
    const asLogin = new URL(url)
    asLogin.username = 'souk_login'
    asLogin.password = 'secret'
    database = new PostgresDatabase({ url: asLogin.href, poolSize, silenceMilliseconds, logger: logger as never })
    expect(await messageOf(database.read((reader) => reader.all(slow)))).toBe('done')
    expect(logged).toEqual([])
  })

  test('a commit whose confirmation is lost is not repeated', async () => {
    await read()
    let attempts = 0
    const work = database.transact(async (tx) => {
      await tx.all(one)
      attempts++
      proxy.loseOpenConnections()
    })
    expect(await messageOf(work)).toBe('PostgreSQL did not confirm the commit')
    expect(attempts).toBe(1)
    expect(await messageOf(read())).toBe('done')
  })

  test('a response that arrives slowly is waited for', async () => {
    await read()
    proxy.slowOpenConnections()
    expect(await messageOf(read())).toBe('done')
    expect(logged).toEqual([])
  })

  const long = prepare((params: { text: string; end: string }) =>
    db.selectNoFrom(sql`${params.text}::text || ${params.end}`.as('long')),
  )

  test('a long statement that is sent slowly is waited for', async () => {
    const send = (text: string) => messageOf(database.read((reader) => reader.all(long, { text, end: 'its end' })))
    await send('short')
    await proxy.set('delaying', { delayed: 'its end', delayMilliseconds: 3_500 })
    expect(await send('x'.repeat(1_000_000))).toBe('done')
    expect(logged).toEqual([])
  })

  test('a long statement that is sent slowly is waited for when those before it have been responded to', async () => {
    await read()
    await proxy.set('delaying', { delayed: 'its end', delayMilliseconds: 3_500 })
    const short = Array.from({ length: 10 }, () => ({ text: 'short', end: '' }))
    const all = [...short, { text: 'x'.repeat(1_000_000), end: 'its end' }]
    expect(await messageOf(database.transact((tx) => tx.runEach(long, all)))).toBe('done')
    expect(logged).toEqual([])
  })

  test('a statement that waits for a lock is waited for', async () => {
    const holder = new pg.Client(url)
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('select pg_advisory_lock(7)')
    const waiting = messageOf(
      database.read((reader) => reader.all(db.selectNoFrom(sql`pg_advisory_xact_lock(7)`.as('lock')))),
    )
    await database.read((reader) => reader.all(slow))
    await holder.query('select pg_advisory_unlock(7)')
    expect(await waiting).toBe('done')
  })
})

// Ended, it would be seen by all before a standby has it.
test('a commit that waits for a standby until its deadline goes on waiting', async () => {
  const server = await startPostgres([])
  onTestFinished(() => server.stop())
  await server.createDatabase('marketplace')
  const ownUrl = `${server.url}/marketplace`
  const admin = new pg.Client(ownUrl)
  await admin.connect()
  onTestFinished(() => admin.end())
  await admin.query('create table counters (value integer)')
  await admin.query("alter system set synchronous_standby_names = 'away'")
  await admin.query('select pg_reload_conf()')
  const own = new PostgresDatabase({ url: ownUrl, poolSize, silenceMilliseconds, deadlines: { statementSeconds: 1 } })
  onTestFinished(() => own.close())
  await waitFor(
    () =>
      own.read((reader) =>
        reader.first(db.selectNoFrom(sql<string>`current_setting('synchronous_standby_names')`.as('names'))),
      ),
    (row) => row?.names === 'away',
  )
  const work = own.transact((tx) => tx.run(counters.insertInto('counters').values({ value: 1 })))
  expect(await messageOf(work)).toBe('PostgreSQL did not confirm the commit')
  await own.read((reader) => reader.all(one))
  const { rows } = await admin.query("select state from pg_stat_activity where wait_event = 'SyncRep'")
  expect(rows).toHaveLength(1)
})

test('a process of the server that takes over is left alone, although it has the id of a lost session', async () => {
  const before = await startPostgres([])
  onTestFinished(() => before.stop())
  const admin = new pg.Client(url)
  const stranger = new pg.Client(url)
  const client = new pg.Client(`${before.url}/postgres`)
  for (const connection of [admin, stranger, client]) {
    connection.on('error', () => {})
    await connection.connect()
    onTestFinished(() => connection.end())
  }
  const { rows } = await stranger.query('select pg_backend_pid() as pid')
  const own = await client.query(`select ${OWN_SESSION} as session`)
  const session = String(own.rows[0].session).replace(/^\d+/, rows[0].pid)
  const lost = new LostConnections({
    server: { connectApart: () => expect.unreachable('nothing is looked for') },
    silenceMilliseconds,
    list: () => [],
    logger: undefined,
  })
  lost.abandon({ session, hasSentCommit: false })
  await lost.endAbandoned((text) => admin.query(text))
  expect((await stranger.query('select 1')).rowCount).toBe(1)
})

describe('work that must not end behind a silent pooler', () => {
  const isDelayed = () => proxy.set('delaying', { delayed: 'select', delayMilliseconds: 3_500 })
  const openAndRead = async () => {
    database = open({}, { endsBehindSilentPooler: false })
    await Promise.all([database.checkWritable(), read()])
  }

  test('waits, because all connections of the pooler may be busy', async () => {
    proxy.isPooler = true
    await openAndRead()
    await isDelayed()
    expect(await messageOf(read())).toBe('done')
    expect(logged).toEqual([])
  })

  test('ends without a pooler', async () => {
    await openAndRead()
    await isDelayed()
    expect(await messageOf(read())).toBe(nothing.message)
  })
})
