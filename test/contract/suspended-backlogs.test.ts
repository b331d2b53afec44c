import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Database, Reader, Transaction } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { compile, PreparedQuery, type Query } from '../../src/platform/database/query.ts'
import { NextRuns } from '../../src/platform/jobs/next-runs.ts'
import { claimJobs, insertJob } from '../../src/platform/jobs/store.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { createPostgresDatabase, kindsOnDisk } from '../support/databases.ts'
import { createJobFixture, type JobFixture } from '../support/jobs.ts'
import { countRowsRead } from '../support/query-plans.ts'

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND
const others = ['note']
const kinds = ['store', ...others]
/** None is due before. */
const looksAgain = { wait: SECOND }

const fill = (database: Database, count: number, runAt: string, owner: string) =>
  database.transactSchema(async (tx) => {
    await tx.execute(`insert into jobs (job_id, kind, payload, run_at, owner, attempts, failures, crashes, outage_retries)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
      select 'store ' || n, 'store', '{}', ${runAt}, ${owner}, 0, 0, 0, 0 from numbers`)
    await tx.execute('analyze jobs')
  })

describe.each(Object.entries(kindsOnDisk))(
  'the next job beside a long backlog of a suspended kind on %s',
  (_kind, open) => {
    let workshop: JobFixture
    let nextRuns: NextRuns
    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ['performance'] })
      workshop = await createJobFixture(open)
      const logger = await createLogger({ level: 'silent', pretty: false })
      nextRuns = new NextRuns({ ...workshop, logger, kinds })
      await fill(workshop.database, 1_500, "'2026-06-01T11:00:00.000Z'", 'null')
    })
    afterEach(async () => {
      vi.useRealTimers()
      await workshop.close()
    })
    const enqueue = (runAt: Date) => workshop.enqueue({ kind: 'note', runAt })
    const ago = (milliseconds: number) => new Date(workshop.clock.now().getTime() - milliseconds)

    test('is found if it was enqueued for now, or for earlier by a slow transaction or another clock', async () => {
      expect(await nextRuns.find(others)).toMatchObject(looksAgain)
      await enqueue(ago(-SECOND / 2))
      expect(await nextRuns.find(others)).toMatchObject({ wait: SECOND / 2 })
      await enqueue(ago(0))
      expect(await nextRuns.find(others)).toMatchObject({ wait: 0 })
      await enqueue(ago(30 * SECOND))
      expect(await nextRuns.find(others)).toMatchObject({ wait: -30 * SECOND })
    })

    test('is waited for as long as it takes if no kind is left out', async () => {
      await workshop.database.transactSchema((tx) => tx.execute('delete from jobs'))
      expect(await nextRuns.find(kinds)).toMatchObject({ wait: Number.POSITIVE_INFINITY })
      await enqueue(ago(-DAY))
      expect(await nextRuns.find(kinds)).toMatchObject({ wait: DAY })
    })

    test('is found after the clock was moved by a day, or back', async () => {
      await nextRuns.find(others)
      await enqueue(ago(-DAY / 2))
      workshop.clock.advance(DAY)
      expect(await nextRuns.find(others)).toMatchObject({ wait: -DAY / 2 })
      workshop.clock.set(ago(DAY))
      await enqueue(ago(0))
      expect(await nextRuns.find(others)).toMatchObject({ wait: 0 })
    })

    test('is found ten seconds later if it was enqueued for a much earlier time', async () => {
      await nextRuns.find(others)
      await enqueue(ago(DAY))
      vi.advanceTimersByTime(10 * SECOND)
      expect(await nextRuns.find(others)).toMatchObject({ wait: -DAY })
    })
  },
)

describe('a poll on PostgreSQL', () => {
  const BACKLOG = 30_000

  test.each([
    ['without an owner', 'null'],
    ['of one seller', "'A1'"],
    ['of a thousand sellers', "'A' || n % 1000"],
  ])('does not read the due jobs of a suspended kind, %s', async (_title, owner) => {
    const url = await createPostgresDatabase('schema')
    const database = new PostgresDatabase({ url, poolSize: 2 })
    const client = new Client({ connectionString: url })
    await client.connect()
    const clock = new ManualClock('2026-06-01T12:00:00.000Z')
    const logger = await createLogger({ level: 'silent', pretty: false })
    await fill(database, BACKLOG, "'2026-06-01T11:00:00.000Z'", owner)
    const readBefore = { rows: 0 }
    const watched = watch(client, readBefore)
    const nextRuns = new NextRuns({ database: watched, clock, logger, kinds })
    const rowsOf = async (work: () => Promise<unknown>) => {
      readBefore.rows = 0
      await work()
      return readBefore.rows
    }
    // The first poll after the suspension reads all of them once.
    await nextRuns.find(others)
    expect(await rowsOf(() => nextRuns.find(others))).toBeLessThan(BACKLOG / 10)
    for (let count = 0; count < 150; count++)
      await database.transact((tx) =>
        insertJob(tx, { id: `note ${count}`, kind: 'note', payload: {}, runAt: clock.now(), owner: `A${count % 2}` }),
      )
    expect(await rowsOf(() => nextRuns.find(others))).toBeLessThan(BACKLOG / 10)
    const next = await nextRuns.find(others)
    expect(next.wait).toBe(0)
    const claim = {
      ...next,
      kinds: others,
      except: [],
      limit: 4,
      now: clock.now(),
      lease: 'lease',
      leaseEnds: clock.now(),
    }
    let claimed = 0
    const rows = await rowsOf(async () => {
      claimed = (await watched.transact((tx) => claimJobs(tx, 'postgres', claim))).length
    })
    expect(claimed).toBe(4)
    expect(rows).toBeLessThan(BACKLOG / 10)
    await client.end()
    await database.close()
  })

  test.each([
    ['the future jobs', 1, '2026-06-02T12:00:00.000Z'],
    ['more than once a second the jobs of the last minute', 2, '2026-06-01T11:59:59.000Z'],
  ])('does not read %s of a kind whose places are taken', async (_which, polls, runAt) => {
    const url = await createPostgresDatabase('schema')
    const database = new PostgresDatabase({ url, poolSize: 2 })
    const client = new Client({ connectionString: url })
    await client.connect()
    const clock = new ManualClock('2026-06-01T12:00:00.000Z')
    const logger = await createLogger({ level: 'silent', pretty: false })
    await fill(database, BACKLOG, `'${runAt}'`, 'null')
    const read = { rows: 0 }
    const nextRuns = new NextRuns({ database: watch(client, read), clock, logger, kinds })
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    for (let poll = 1; poll <= polls; poll++) {
      read.rows = 0
      expect(await nextRuns.find(others)).toMatchObject(looksAgain)
    }
    expect(read.rows).toBeLessThan(BACKLOG / 10)
    await client.end()
    await database.close()
  })

  /** A database that counts the rows of jobs which its statements return or filter out. */
  function watch(client: Client, read: { rows: number }): Database {
    const all = async (query: Query<unknown> | PreparedQuery<object, unknown>, params: object = {}) => {
      const { sql, values } =
        query instanceof PreparedQuery
          ? { sql: query.statement('postgres', params).sql, values: query.statement('postgres', params).bind(params) }
          : compile(query, 'postgres')
      await client.query('begin')
      read.rows += await countRowsRead(client, 'jobs', { sql, values })
      await client.query('rollback')
      return (await client.query(sql, [...values])).rows
    }
    const reader = { all, first: async (...args: Parameters<typeof all>) => (await all(...args))[0] }
    return {
      read: (work: (reader: Reader) => Promise<unknown>) => work(reader as unknown as Reader),
      transact: (work: (tx: Transaction) => Promise<unknown>) => work(reader as unknown as Transaction),
    } as unknown as Database
  }
})
