import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, DatabaseUnavailableError, type SchemaTransaction } from '../../src/platform/database/port.ts'
import { PostgresDatabase, type PostgresOptions } from '../../src/platform/database/postgres-database.ts'
import { prepare, queryBuilder } from '../../src/platform/database/query.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FaultyProxy } from '../support/faulty-proxy.ts'
import { waitFor } from '../support/wait-for.ts'

const db = queryBuilder<{ events: { name: string } }>()
const addEvent = db.insertInto('events').values({ name: 'happened' })
const backendPid = db.selectNoFrom(sql<number>`pg_backend_pid()`.as('pid'))

let url: string
let admin: pg.Client
let database: Database

beforeAll(async () => {
  url = await createPostgresDatabase('nothing')
  admin = new pg.Client(url)
  await admin.connect()
  await admin.query('create table events (name text not null)')
})
beforeEach(async () => {
  await admin.query('truncate events')
  database = open()
})
afterAll(() => admin.end())

function open(options: Partial<PostgresOptions> = {}): PostgresDatabase {
  const opened = new PostgresDatabase({ url, poolSize: 2, ...options })
  onTestFinished(() => opened.close())
  return opened
}

const countEvents = async () => Number((await admin.query('select count(*) from events')).rows[0].count)
const raise = (tx: SchemaTransaction, code: string, message = 'simulated') =>
  tx.execute(`do $$ begin raise exception '${message}' using errcode = '${code}'; end $$`)

/** Terminates the backend of a transaction, as a failover does, and waits for its end. */
async function terminateBackend(tx: SchemaTransaction): Promise<void> {
  const pid = (await tx.first(backendPid))?.pid
  await admin.query('select pg_terminate_backend($1)', [pid])
  await waitFor(
    async () => (await admin.query('select from pg_stat_activity where pid = $1', [pid])).rowCount,
    (count) => count === 0,
  )
}

async function terminateThoseRunning(query: string, expected: number): Promise<void> {
  const running = `from pg_stat_activity where datname = current_database() and state = 'active' and query like '${query}'
    and pid <> pg_backend_pid()`
  await waitFor(
    async () => (await admin.query(`select ${running}`)).rowCount,
    (count) => count === expected,
  )
  await admin.query(`select pg_terminate_backend(pid) ${running}`)
}

const outageOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(DatabaseUnavailableError)
      return (error as Error).message
    },
  )

describe('PostgreSQL reports that it is unavailable', () => {
  test.each([
    ['08006', 'connection failure'],
    ['25006', 'read-only transaction'],
    ['40003', 'statement completion unknown'],
    ['53100', 'disk full'],
    ['53200', 'out of shared memory'],
    ['53300', 'too many connections'],
    ['57014', 'canceling statement due to statement timeout'],
    ['57P01', 'terminating connection due to administrator command'],
    ['57P03', 'the database system is starting up'],
    ['58030', 'I/O error'],
  ])('%s (%s) is an outage, named in the message', async (code, message) => {
    const answer = await outageOf(database.transactSchema((tx) => raise(tx, code, message)))
    expect(answer).toBe(`PostgreSQL could not do the work: ${message} (SQLSTATE ${code})`)
  })

  test('55P03 (lock not available) is an outage for all but a migration, which tries again', async () => {
    const answer = await outageOf(
      database.transact((tx) => raise(tx as SchemaTransaction, '55P03', 'lock not available')),
    )
    expect(answer).toBe('PostgreSQL could not do the work: lock not available (SQLSTATE 55P03)')
  })

  test.each([
    ['22012', 'connection terminated unexpectedly'],
    ['P0001', 'cannot connect: ECONNREFUSED'],
  ])('%s is a bug, whatever its text says', async (code, message) => {
    const error = await database.transactSchema((tx) => raise(tx, code, message)).catch((cause: unknown) => cause)
    expect(error).not.toBeInstanceOf(DatabaseUnavailableError)
    expect(error).toMatchObject({ code, message })
  })
})

describe('a connection to PostgreSQL is lost', () => {
  test('before the commit: the transaction runs again on another one, and its effect happens once', async () => {
    let attempts = 0
    await database.transactSchema(async (tx) => {
      await tx.run(addEvent)
      if (++attempts === 1) await terminateBackend(tx)
      await tx.first(backendPid)
    })
    expect(attempts).toBe(2)
    expect(await countEvents()).toBe(1)
  })

  test('again and again: the transaction fails as an outage, and the next one works', async () => {
    let attempts = 0
    const failing = database.transactSchema(async (tx) => {
      attempts++
      await terminateBackend(tx)
      await tx.run(addEvent)
    })
    expect(await outageOf(failing)).toMatch(/connection to PostgreSQL was lost|administrator command/)
    expect(attempts).toBe(2)
    await database.transact((tx) => tx.run(addEvent))
    expect(await countEvents()).toBe(1)
  })

  test('while a statement runs: every read is retried on another one', async () => {
    const slowPid = db.selectNoFrom([sql<number>`pg_backend_pid()`.as('pid'), sql`pg_sleep(0.5)`.as('slept')])
    const reading = Promise.all([1, 2].map(() => database.read((reader) => reader.first(slowPid))))
    await terminateThoseRunning('%pg_sleep%', 2)
    for (const row of await reading) expect(row?.pid).toBeGreaterThan(0)
  })

  test('while the error of the work is handled: the work is reported as it failed', async () => {
    const mistake = new Error('a mistake in the work')
    const failing = database.transactSchema(async (tx) => {
      await terminateBackend(tx)
      throw mistake
    })
    await expect(failing).rejects.toBe(mistake)
    await database.transact((tx) => tx.run(addEvent))
  })

  test('by the commit itself: it fails as an outage and does not run again', async () => {
    await admin.query(`
      create function leave() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
      create constraint trigger leaves after insert on events deferrable initially deferred
        for each row execute function leave()`)
    onTestFinished(async () => {
      await admin.query('drop trigger leaves on events')
    })
    let attempts = 0
    const failing = database.transact(async (tx) => {
      attempts++
      await tx.run(addEvent)
    })
    expect(await outageOf(failing)).toBe('PostgreSQL did not confirm the commit')
    expect(attempts).toBe(1)
  })

  test('after the commit and before its response: it fails as an outage, and its effect happened once', async () => {
    const { hostname, port } = new URL(url)
    const proxy = await new FaultyProxy(Number(port), hostname).open()
    onTestFinished(() => proxy.close())
    await proxy.set('cutting', { cutAfter: 'commit\0' })
    let attempts = 0
    const failing = open({ url: proxy.through(url) }).transact(async (tx) => {
      attempts++
      await tx.run(addEvent)
    })
    expect(await outageOf(failing)).toBe('PostgreSQL did not confirm the commit')
    expect(attempts).toBe(1)
    expect(await waitFor(countEvents, (count) => count > 0)).toBe(1)
  })

  test('while tables are emptied: they are emptied on another one', async () => {
    const single = open({ poolSize: 1 })
    await single.transact((tx) => tx.run(addEvent))
    const locker = new pg.Client(url)
    await locker.connect()
    await locker.query('begin; lock table events in access exclusive mode')
    const clearing = single.clear()
    await terminateThoseRunning('truncate%', 1)
    await locker.end()
    await clearing
    expect(await countEvents()).toBe(0)
  })
})

describe('a migration runs while PostgreSQL connections have older prepared statements', () => {
  test('readers and writers continue on new connections', async () => {
    const allEvents = prepare((_: object) => db.selectFrom('events').selectAll())
    const read = () => database.read((reader) => reader.all(allEvents, {}))
    await database.transact((tx) => tx.run(addEvent))
    await Promise.all([read(), read()])
    await admin.query('alter table events add column details text')
    onTestFinished(async () => void (await admin.query('alter table events drop column details')))
    expect(await read()).toEqual([{ name: 'happened', details: null }])
    expect(await database.transact((tx) => tx.all(allEvents, {}))).toHaveLength(1)
  })
})

describe('a deadline for PostgreSQL', () => {
  const sleep = (tx: SchemaTransaction, seconds: number) => tx.execute(`select pg_sleep(${seconds})`)

  test('ends a statement that takes too long', async () => {
    const hasty = open({ deadlines: { statementSeconds: 1 } })
    const slow = db.selectNoFrom(sql`pg_sleep(3600)`.as('slept'))
    const message = await outageOf(hasty.read((reader) => reader.first(slow)))
    expect(message).toContain('statement timeout')
    await hasty.transact((tx) => tx.run(addEvent))
  })

  test('does not end a migration', async () => {
    const hasty = open({ deadlines: { statementSeconds: 1, lockSeconds: 1, idleTransactionSeconds: 1 } })
    await hasty.transactSchema(async (tx) => {
      await sleep(tx, 1.5)
      await tx.run(addEvent)
    })
    expect(await countEvents()).toBe(1)
  })

  test('ends the wait for a lock', async () => {
    const hasty = open({ deadlines: { lockSeconds: 1 } })
    await admin.query('begin; lock table events in access exclusive mode')
    expect(await outageOf(hasty.transact((tx) => tx.run(addEvent)))).toContain('lock timeout')
    await admin.query('rollback')
    await hasty.transact((tx) => tx.run(addEvent))
  })

  test('ends the wait for a connection when all are in use', async () => {
    const narrow = open({ poolSize: 1, deadlines: { connectSeconds: 1 } })
    await narrow.transact(async () => {
      const message = await outageOf(narrow.transact((tx) => tx.run(addEvent)))
      expect(message).toContain('gave no connection within 1 s')
    })
    const waits = (await narrow.metrics.find(({ name }) => name === 'souk_database_wait_seconds')?.read()) ?? []
    expect(waits.find(({ metricName }) => metricName?.endsWith('_sum'))?.value, 'its longest wait').toBeGreaterThan(0.9)
  })

  test('ends a transaction that does nothing, for whose locks others wait', async () => {
    const hasty = open({ deadlines: { idleTransactionSeconds: 1 } })
    const isOpen = `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
    let attempts = 0
    await hasty.transact(async (tx) => {
      await tx.run(addEvent)
      if (++attempts > 1) return
      await waitFor(
        async () => (await admin.query(isOpen)).rowCount,
        (count) => count === 0,
      )
    })
    expect(attempts).toBe(2)
    expect(await countEvents()).toBe(1)
  })
})

describe('transactions of PostgreSQL that conflict', () => {
  test('are retried more than fifty times before their deadline', async () => {
    const patient = open({ deadlines: { conflictSeconds: 3600 } })
    let attempts = 0
    await patient.transactSchema(async (tx) => {
      if (++attempts <= 60) await raise(tx, '40001')
      await tx.run(addEvent)
    })
    expect(attempts).toBe(61)
    expect(await countEvents()).toBe(1)
  })

  test('back off between attempts, and are an outage when their time is over', async () => {
    const hasty = open({ deadlines: { conflictSeconds: 1 } })
    let attempts = 0
    const failing = hasty.transactSchema(async (tx) => {
      attempts++
      await raise(tx, '40001')
    })
    expect(await outageOf(failing)).toBe('Other transactions kept changing the same rows for 1 s')
    expect(attempts).toBeGreaterThan(2)
    expect(attempts).toBeLessThan(500)
  })

  test('are not acknowledged when the work ignores that a statement failed', async () => {
    const careless = database.transactSchema(async (tx) => {
      await tx.run(addEvent)
      await raise(tx, 'P0001').catch(() => {})
    })
    await expect(careless).rejects.toThrow('simulated')
    expect(await countEvents()).toBe(0)
  })
})

describe('the check of PostgreSQL', () => {
  const CHECKS = "from pg_stat_activity where datname = current_database() and query like 'show transaction%'"

  test('passes while all connections are busy, also if its own connection was lost', async () => {
    const busy = open({ poolSize: 1 })
    await busy.transact(async () => {
      await busy.checkWritable()
      await admin.query(`select pg_terminate_backend(pid) ${CHECKS}`)
      await waitFor(
        async () => (await admin.query(`select ${CHECKS}`)).rowCount,
        (count) => count === 0,
      )
      await busy.checkWritable()
    })
  })

  test('fails while the server accepts no new connections, although its own connection still works', async () => {
    const name = new URL(url).pathname.slice(1)
    const maintenance = new pg.Client(url.replace(`/${name}`, '/postgres'))
    await maintenance.connect()
    onTestFinished(() => maintenance.end())
    const allow = (allowed: boolean) => maintenance.query(`alter database "${name}" allow_connections ${allowed}`)
    const checked = open()
    await checked.checkWritable()
    await allow(false)
    await outageOf(checked.transact(async () => {})).finally(() =>
      outageOf(checked.checkWritable()).finally(() => allow(true)),
    )
    await checked.checkWritable()
    await checked.transact(async () => {})
  })

  test('passes for several that ask at the same moment when the server accepts connections again', async () => {
    const proxy = await new FaultyProxy(Number(new URL(url).port)).open()
    onTestFinished(() => proxy.close())
    const checked = open({ url: proxy.through(url) })
    await proxy.set('refusing')
    await outageOf(checked.transact(async () => {}))
    await proxy.set('passing')
    await Promise.all([checked.checkWritable(), checked.checkWritable()])
  })

  test('fails within seconds while the server does not respond or refuses connections, and passes afterwards', async () => {
    const proxy = await new FaultyProxy(Number(new URL(url).port)).open()
    onTestFinished(() => proxy.close())
    const checked = open({ url: proxy.through(url) })
    await checked.checkWritable()
    for (const failure of ['silent', 'refusing'] as const) {
      await proxy.set(failure)
      const began = performance.now()
      await outageOf(checked.checkWritable())
      expect(performance.now() - began).toBeLessThan(6_000)
      await proxy.set('passing')
      await waitFor(
        () =>
          checked.checkWritable().then(
            () => true,
            () => false,
          ),
        (passes) => passes,
      )
    }
  })
})

describe('a read-only PostgreSQL', () => {
  const setReadOnly = (value: 'on' | 'off') =>
    admin.query(`alter database "${new URL(url).pathname.slice(1)}" set default_transaction_read_only = ${value}`)

  test('fails the check and every write as an outage, and is used again once it can be written to', async () => {
    await database.checkWritable()
    await setReadOnly('on')
    const later = open()
    expect(await outageOf(later.checkWritable())).toBe('PostgreSQL is read-only')
    expect(await outageOf(later.transact((tx) => tx.run(addEvent)))).toContain('read-only transaction')
    await setReadOnly('off')
    await later.checkWritable()
    await later.transact((tx) => tx.run(addEvent))
    expect(await countEvents()).toBe(1)
  })
})

test('a transaction is not cut off because its statements together take longer than one of them may', async () => {
  const patient = open({ deadlines: { statementSeconds: 1 } })
  const nap = prepare(({ seconds }: { seconds: number }) => db.selectNoFrom(sql`pg_sleep(${seconds})`.as('slept')))
  const naps = Array.from({ length: 20 }, () => ({ seconds: 0.2 }))
  await patient.transact(async (tx) => {
    await tx.runEach(nap, naps)
    await tx.run(addEvent)
  })
  expect(await countEvents()).toBe(1)
})
