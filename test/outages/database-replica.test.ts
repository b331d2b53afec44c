import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseUnavailableError, type Reader } from '../../src/platform/database/port.ts'
import { PostgresDatabase, type PostgresOptions } from '../../src/platform/database/postgres-database.ts'
import { prepare, queryBuilder } from '../../src/platform/database/query.ts'
import { FaultyProxy } from '../support/faulty-proxy.ts'
import { type PostgresReplica, startReplica } from '../support/postgres-replica.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { waitFor } from '../support/wait-for.ts'

const WRITES = 60
const WAIT_MILLISECONDS = 1_000
// A check every second, which waits for a second, with room for a busy machine.
const NOTICED_WITHIN_MILLISECONDS = 8_000

const db = queryBuilder<{ counters: { name: string; value: number } }>()
const setCounter = prepare((params: { value: number }) =>
  db
    .insertInto('counters')
    .values({ name: 'a', value: params.value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: params.value })),
)
const findCounter = prepare((params: { name: string }) =>
  db.selectFrom('counters').select('value').where('name', '=', params.name),
)
const isReplica = db.selectNoFrom(sql<boolean>`pg_is_in_recovery()`.as('is_replica'))
const sleep = (seconds: number) =>
  db.selectNoFrom([
    sql<boolean>`pg_is_in_recovery()`.as('is_replica'),
    sql<string>`pg_sleep(${sql.lit(seconds)})::text`.as('slept'),
  ])

let server: Awaited<ReturnType<typeof startPostgres>>
let replica: PostgresReplica
let admin: pg.Client
let url: string

beforeAll(async () => {
  server = await startPostgres()
  await server.createDatabase('souk')
  url = `${server.url}/souk`
  admin = new pg.Client(url)
  await admin.connect()
  await admin.query('create table counters (name text primary key, value bigint not null)')
  // On one machine, a replica is otherwise too fast to be seen behind.
  replica = await startReplica(server, ['max_standby_streaming_delay=0', 'recovery_min_apply_delay=20ms'])
})
afterAll(async () => {
  await admin?.end()
  await replica?.stop()
  await server?.stop()
})

type Options = Partial<PostgresOptions> & { replicaUrl?: string }

function open({ replicaUrl = `${replica.url}/souk`, ...options }: Options = {}): PostgresDatabase {
  const settings = { url: replicaUrl, waitMilliseconds: WAIT_MILLISECONDS }
  const database = new PostgresDatabase({ url, poolSize: 3, replica: settings, ...options })
  onTestFinished(() => database.close())
  return database
}

async function metric(database: PostgresDatabase, name: string, by?: string): Promise<number> {
  const samples = (await database.metrics.find((one) => one.name === name)?.read()) ?? []
  return samples.find(({ labels }) => labels.by === by)?.value ?? Number.NaN
}
const upOf = (database: PostgresDatabase) => metric(database, 'souk_replica_up')
const becomes = (database: PostgresDatabase, up: number) =>
  waitFor(
    () => upOf(database),
    (value) => value === up,
  )

const set = (database: PostgresDatabase, value: number) =>
  database.transact((tx) => tx.runEach(setCounter, [{ value }]))
const get = async (reader: Reader) => (await reader.first(findCounter, { name: 'a' }))?.value
const servedByReplica = async (reader: Reader) => (await reader.first(isReplica))?.is_replica

describe('with a replica that follows', () => {
  test('large reads run on the replica, and other reads on the primary', async () => {
    const database = open()
    await becomes(database, 1)
    expect(await database.readLarge(servedByReplica)).toBe(true)
    expect(await database.read(servedByReplica)).toBe(false)
    expect(await metric(database, 'souk_replica_reads_total', 'replica')).toBe(1)
  })

  test('a role without privileges on the server can use it', async () => {
    await admin.query("create role plain login password 'plain'")
    const withRole = (address: string) => address.replace('souk:souk@', 'plain:plain@')
    const database = open({ url: withRole(url), replicaUrl: withRole(`${replica.url}/souk`) })
    await becomes(database, 1)
    expect(await database.readLarge(servedByReplica)).toBe(true)
  })

  test('a large read has every commit that was acknowledged before, also by another process', async () => {
    const [one, other] = [open(), open()]
    await Promise.all([becomes(one, 1), becomes(other, 1)])
    for (let value = 1; value <= WRITES; value++) {
      await set(value % 2 ? one : other, value)
      expect(await (value % 3 ? one : other).readLarge(get)).toBe(value)
    }
    const served = await Promise.all([one, other].map((each) => metric(each, 'souk_replica_reads_total', 'replica')))
    expect(served.every((count) => count > 0)).toBe(true)
  })

  test('readers at the same time each have the commits before them', async () => {
    const database = open()
    await becomes(database, 1)
    const writer = open()
    let value = 1000
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const own = ++value
        await set(writer, own)
        expect(await database.readLarge(get)).toBeGreaterThan(1000)
      }),
    )
    await set(writer, 5000)
    const seen = await Promise.all(Array.from({ length: 50 }, () => database.readLarge(get)))
    expect(new Set(seen)).toEqual(new Set([5000]))
  })

  test('a read there goes on while the primary has no free connection', async () => {
    const database = open({ poolSize: 1 })
    await becomes(database, 1)
    const reading = database.readLarge(async (reader) => (await reader.first(sleep(4)))?.is_replica)
    await waitFor(
      async () => (await replica.query("select from pg_stat_activity where query like '%pg_sleep(4)%'")).rowCount,
      (count) => count === 2, // itself, and the read
    )
    await database.transact(() => reading)
    expect(await reading).toBe(true)
  })

  test('a replica that was behind is used again, also while the primary has no free connection', async () => {
    const database = open({ poolSize: 1 })
    await becomes(database, 1)
    await replica.query('select pg_wal_replay_pause()')
    await set(database, 6000)
    expect(await database.readLarge(servedByReplica)).toBe(false)
    await replica.query('select pg_wal_replay_resume()')
    await database.transact(async () => {
      await becomes(database, 1)
      expect(await database.readLarge(servedByReplica)).toBe(true)
    })
  })

  test('an error of a query is reported as on the primary', async () => {
    const database = open()
    await becomes(database, 1)
    const broken = db.selectNoFrom(sql`no_such_function()`.as('value'))
    await expect(database.readLarge((reader) => reader.first(broken))).rejects.toMatchObject({ code: '42883' })
    expect(await upOf(database)).toBe(1)
  })

  test('a statement that takes too long fails, and is not repeated on the primary', async () => {
    const database = open({ deadlines: { statementSeconds: 1 } })
    await becomes(database, 1)
    const late = await database.readLarge((reader) => reader.first(sleep(60))).catch((error: unknown) => error)
    expect(late).toBeInstanceOf(DatabaseUnavailableError)
    expect(await metric(database, 'souk_replica_reads_total', 'primary')).toBe(0)
  })

  test('a read that replication cancels runs on the primary', async () => {
    const database = open()
    await becomes(database, 1)
    await admin.query("insert into counters select 'dead-' || n, n from generate_series(1, 100) n")
    const counted = database.readLarge((reader) =>
      reader.first(
        db
          .selectFrom('counters')
          .select([sql<boolean>`pg_is_in_recovery()`.as('is_replica'), sql<string>`pg_sleep(3)::text`.as('slept')])
          .where('name', '=', 'dead-1'),
      ),
    )
    await waitFor(
      async () => (await replica.query("select from pg_stat_activity where query like '%pg_sleep(3)%'")).rowCount,
      (count) => count === 2, // itself, and the read
    )
    await admin.query("delete from counters where name like 'dead-%'")
    await admin.query('vacuum counters')
    expect(await counted).toBeUndefined()
    expect(await metric(database, 'souk_replica_reads_total', 'primary')).toBe(1)
  })
})

describe('without a usable replica the primary serves', () => {
  test('while replay is paused, with every commit, and the lag grows until it resumes', async () => {
    const database = open()
    await becomes(database, 1)
    await replica.query('select pg_wal_replay_pause()')
    try {
      await set(database, 7000)
      const began = performance.now()
      expect(await database.readLarge(get)).toBe(7000)
      expect(performance.now() - began).toBeLessThan(NOTICED_WITHIN_MILLISECONDS)
      expect(await upOf(database)).toBe(0)
      await waitFor(
        () => metric(database, 'souk_replica_lag_seconds'),
        (seconds) => seconds > 2,
      )
      expect(await upOf(database)).toBe(0)
      expect(await database.readLarge(servedByReplica)).toBe(false)
    } finally {
      await replica.query('select pg_wal_replay_resume()')
    }
    await becomes(database, 1)
    expect(await metric(database, 'souk_replica_lag_seconds')).toBeLessThan(1)
    expect(await database.readLarge(get)).toBe(7000)
    expect(await database.readLarge(servedByReplica)).toBe(true)
  })

  test('while the replica is stopped, without a failed read, and logs the outage once', async () => {
    const messages: string[] = []
    const log = (_: unknown, message?: string) => messages.push(message ?? String(_))
    const logger = { info: log, warn: log, error: log } as never
    const database = open({ logger })
    await becomes(database, 1)
    const readers = Array.from({ length: 3 }, async () => {
      for (let reads = 0; reads < 100 || (await upOf(database)) === 1; reads++)
        await database.readLarge(servedByReplica)
    })
    await replica.crash()
    await Promise.all(readers)
    expect(await database.readLarge(servedByReplica)).toBe(false)
    await replica.start()
    await becomes(database, 1)
    expect(await database.readLarge(servedByReplica)).toBe(true)
    const ofReplica = messages.filter((message) => message.includes('read replica'))
    expect(ofReplica).toEqual([expect.stringContaining('cannot be used'), expect.stringContaining('used again')])
  })

  test('while the replica does not respond; reads that run there move to the primary within seconds', async () => {
    const proxy = await new FaultyProxy(replica.port).open()
    onTestFinished(() => proxy.close())
    const database = open({ replicaUrl: proxy.through(`${replica.url}/souk`) })
    await becomes(database, 1)
    expect(await database.readLarge(servedByReplica)).toBe(true)
    await proxy.set('silent')
    const began = performance.now()
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => database.readLarge(servedByReplica)))).toEqual(
      Array(5).fill(false),
    )
    expect(performance.now() - began).toBeLessThan(NOTICED_WITHIN_MILLISECONDS)
    expect(await upOf(database)).toBe(0)
    // The connections of before stay dead.
    await proxy.set('passing')
    await becomes(database, 1)
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => database.readLarge(servedByReplica)))).toEqual(
      Array(5).fill(true),
    )
  })

  test('until it is closed, which does not wait for a replica that does not respond', async () => {
    const proxy = await new FaultyProxy(replica.port).open()
    onTestFinished(() => proxy.close())
    const settings = { url: proxy.through(`${replica.url}/souk`), waitMilliseconds: WAIT_MILLISECONDS }
    const database = new PostgresDatabase({ url, poolSize: 3, replica: settings })
    await becomes(database, 1)
    expect(await database.readLarge(servedByReplica)).toBe(true)
    await proxy.set('silent')
    const reading = database.readLarge(servedByReplica)
    await waitFor(
      () => upOf(database),
      (up) => up === 0,
    )
    expect(await reading).toBe(false)
    const began = performance.now()
    await database.close()
    expect(performance.now() - began).toBeLessThan(NOTICED_WITHIN_MILLISECONDS)
  })

  test('if the server is no replica, or follows another server', async () => {
    const other = await startPostgres()
    await other.createDatabase('souk')
    const itsReplica = await startReplica(other)
    onTestFinished(async () => {
      await itsReplica.stop()
      await other.stop()
    })
    for (const wrong of [server.url, other.url, itsReplica.url]) {
      const reasons: string[] = []
      const logger = { warn: ({ reason }: { reason: string }) => reasons.push(reason) } as never
      const database = open({ replicaUrl: `${wrong}/souk`, logger })
      await waitFor(
        () => reasons,
        ({ length }) => length > 0,
      )
      expect(reasons[0]).toMatch(wrong === itsReplica.url ? /follows another server/ : /not a replica/)
      await set(database, 8000)
      expect(await database.readLarge(get)).toBe(8000)
      expect(await metric(database, 'souk_replica_reads_total', 'replica')).toBe(0)
    }
  })

  test('if nothing listens at its address when the process starts', async () => {
    const database = open({ replicaUrl: 'postgres://souk:souk@127.0.0.1:1/souk' })
    await set(database, 9000)
    expect(await database.readLarge(get)).toBe(9000)
    expect(await upOf(database)).toBe(0)
  })
})
