import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { findDueJobs } from '../../src/platform/jobs/fair-claims.ts'
import { createJobQueue } from '../../src/platform/jobs/job-queue.ts'
import type { JobRunner } from '../../src/platform/jobs/job-runner.ts'
import { claimJobs } from '../../src/platform/jobs/store.ts'
import type { JobTables } from '../../src/platform/jobs/tables.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { createJobFixture, deferred, handler, type JobFixture, recordName, writeEffect } from '../support/jobs.ts'
import { waitFor } from '../support/wait-for.ts'

const db = queryBuilder<JobTables>()
const SECOND = 1000
const MAX_FAILURES = 6
const MAX_CRASHES = 20
const MAX_BACKOFF = 5 * 60 * SECOND

const broken = () => Promise.reject(new Error('broken'))

describe.each(Object.entries(kindsOnDisk))('the job queue on %s', (_kind, open) => {
  let workshop: JobFixture
  beforeEach(async () => {
    workshop = await createJobFixture(open)
  })
  afterEach(() => workshop.close())

  test('a job runs with its payload and is then deleted', async () => {
    const payload = { name: 'café', list: [1, null, { deep: true }] }
    const seen: unknown[] = []
    const keep = handler(async (given) => void seen.push(given))
    const runner = workshop.startRunner({ keep })
    await workshop.enqueue({ kind: 'keep', payload })
    await runner.idle()
    expect(seen).toEqual([payload])
    expect(await workshop.jobs()).toEqual([])
  })

  test('a seller with a thousand jobs delays the one job of another by one job at most', async () => {
    const { database, queue, clock } = workshop
    const enqueue = (owner: string, names: readonly string[]) =>
      database.transact(async (tx) => {
        for (const name of names) {
          await queue.enqueue(tx, { kind: 'note', payload: { name }, runAt: clock.now(), owner })
        }
      })
    await enqueue(
      'AMANY',
      Array.from({ length: 1_000 }, (_, number) => `many ${number}`),
    )
    await clock.advance(SECOND)
    await enqueue('AONE', ['one'])
    await workshop.enqueue({ kind: 'note', payload: { name: 'of no seller' } })
    const started: string[] = []
    let runner: JobRunner | undefined
    const note = handler(async ({ name }) => {
      started.push(name)
      if (started.length === 6) void runner?.stop()
    })
    runner = workshop.startRunner({ note })
    await waitFor(
      () => started.length,
      (count) => count >= 6,
    )
    await runner.stop()
    const many = started.filter((name) => name.startsWith('many'))
    expect(started.slice(0, 3).sort()).toEqual([many[0], 'of no seller', 'one'].sort())
    expect(many).toHaveLength(started.length - 2)
  })

  test.each([
    ['a few', 10],
    // More than a claim looks at.
    ['many', 1_200],
  ])(
    'jobs for the future take turns when they are due, also beside %s sellers whose jobs are not',
    async (_, others) => {
      const { database, queue, clock } = workshop
      const due = new Date(clock.now().getTime() + 1_000 * SECOND)
      const later = new Date(due.getTime() + SECOND)
      const never = new Date(due.getTime() + 1_000_000 * SECOND)
      await database.transact(async (tx) => {
        const enqueue = (name: string, owner: string, runAt: Date) =>
          queue.enqueue(tx, { kind: 'note', payload: { name }, runAt, owner })
        for (let number = 0; number < 300; number++) await enqueue(`many ${number}`, 'AMANY', due)
        for (let number = 0; number < 300; number++) await enqueue(`never ${number}`, 'AMANY', never)
        for (let number = 0; number < others; number++) await enqueue('never', `B${number}`, never)
        await enqueue('one', 'CONE', later)
      })
      clock.advance(later.getTime() - clock.now().getTime())
      const started: string[] = []
      const runner = workshop.startRunner({ note: handler(async ({ name }) => void started.push(name)) })
      await runner.idle()
      expect(started).toHaveLength(301)
      expect(started.indexOf('one')).toBeLessThan(10)
    },
  )

  test('a seller whose jobs are the only ones has all places of a worker', async () => {
    const { database, queue, clock } = workshop
    await database.transact(async (tx) => {
      for (let number = 0; number < 10; number++) {
        await queue.enqueue(tx, { kind: 'note', payload: { name: 'x' }, runAt: clock.now(), owner: 'AMANY' })
      }
    })
    const find = (except: readonly string[]) =>
      database.transact((tx) => findDueJobs(tx, { now: clock.now(), kinds: ['note'], except, limit: 4 }))
    const first = await find([])
    expect(new Set(first).size).toBe(4)
    expect(new Set([...first, ...(await find(first))]).size).toBe(8)
  })

  test('a job without an owner that is enqueued again for an earlier time has the owner of that', async () => {
    const { database, queue, clock } = workshop
    const job = { kind: 'note', key: 'k', payload: { name: 'x' } }
    const ownerOf = async () =>
      (await database.transact((tx) => tx.first(db.selectFrom('jobs').select('owner'))))?.owner
    const enqueue = (seconds: number, owner?: string) =>
      database.transact((tx) => {
        const runAt = new Date(clock.now().getTime() + seconds * SECOND)
        return queue.enqueue(tx, { ...job, runAt, ...(owner && { owner }) })
      })
    await enqueue(60)
    await enqueue(90, 'ALATER')
    expect(await ownerOf()).toBeNull()
    await enqueue(0, 'ASELLER')
    expect(await ownerOf()).toBe('ASELLER')
  })

  test('a job whose transaction is rolled back never runs', async () => {
    const runner = workshop.startRunner({ note: recordName })
    const undone = workshop.database.transact(async (tx) => {
      await workshop.queue.enqueue(tx, { kind: 'note', payload: { name: 'undone' }, runAt: workshop.clock.now() })
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    await workshop.enqueue({ kind: 'note', payload: { name: 'kept' } })
    await runner.idle()
    expect(await workshop.effects()).toEqual(['kept'])
  })

  test('a committed job wakes the worker without waiting for a poll, and one that is rolled back does not', async () => {
    const { database, clock, ids } = workshop
    let wakes = 0
    const queue = createJobQueue(ids, () => void wakes++)
    const enqueue = (tx: Transaction) => queue.enqueue(tx, { kind: 'note', payload: {}, runAt: clock.now() })
    const undone = database.transact(async (tx) => {
      await enqueue(tx)
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    expect(wakes).toBe(0)
    await database.transact(async (tx) => {
      await enqueue(tx)
      await enqueue(tx)
      expect(wakes).toBe(0)
    })
    expect(wakes).toBe(1)
  })

  test('a job does not run before its time, and then runs without a wake-up', async () => {
    const done = deferred()
    const runner = workshop.startRunner({ later: handler(async () => done.resolve()) })
    await workshop.enqueue({ kind: 'later', runAt: new Date(workshop.clock.now().getTime() + 60 * SECOND) })
    workshop.clock.advance(60 * SECOND - 1)
    await runner.idle()
    expect(await workshop.jobs()).toMatchObject([{ failures: 0, lease: null }])
    workshop.clock.advance(1)
    await done.promise
  })

  test('jobs run in the order of their times', async () => {
    const { clock } = workshop
    for (const [name, seconds] of Object.entries({ third: 3, first: 1, second: 2 })) {
      const runAt = new Date(clock.now().getTime() + seconds * SECOND)
      await workshop.enqueue({ kind: 'note', payload: { name }, runAt })
    }
    clock.advance(60 * SECOND)
    await workshop.startRunner({ note: recordName }).idle()
    expect(await workshop.effects()).toEqual(['first', 'second', 'third'])
  })

  test('an effect that fails is rolled back, and the job runs again', async () => {
    let attempts = 0
    const half = handler((_, { finish }) =>
      finish(async (tx) => {
        await writeEffect(tx, `attempt ${++attempts}`)
        if (attempts === 1) throw new Error('half done')
      }),
    )
    const runner = workshop.startRunner({ half })
    await workshop.enqueue({ kind: 'half' })
    await runner.idle()
    expect(await workshop.effects()).toEqual([])
    expect(await workshop.jobs()).toHaveLength(1)
    workshop.clock.advance(SECOND)
    await runner.idle()
    expect(await workshop.effects()).toEqual([`attempt ${attempts}`])
    expect(await workshop.jobs()).toEqual([])
  })

  test('a failing job is retried after 1, 2, 4, 8 and 16 seconds, then given up once', async () => {
    let runs = 0
    const failing = handler(
      () => {
        runs++
        return broken()
      },
      (tx, { name }) => writeEffect(tx, `gave up ${name}`),
    )
    const runner = workshop.startRunner({ failing })
    await workshop.enqueue({ kind: 'failing', payload: { name: 'it' } })
    await runner.idle()
    for (const [failures, pause] of [1, 2, 4, 8, 16].entries()) {
      expect(runs).toBe(failures + 1)
      workshop.clock.advance(pause * SECOND - 1)
      await runner.idle()
      expect(runs).toBe(failures + 1)
      expect(await workshop.effects()).toEqual([])
      workshop.clock.advance(1)
      await runner.idle()
    }
    expect(runs).toBe(MAX_FAILURES)
    expect(await workshop.effects()).toEqual(['gave up it'])
    expect(await workshop.jobs()).toEqual([])
  })

  test('giving up is atomic: if recording it fails, nothing is recorded and the job is not lost', async () => {
    let mended = false
    const failing = handler(broken, async (tx) => {
      await writeEffect(tx, 'gave up')
      if (!mended) throw new Error('cannot record it')
    })
    const runner = workshop.startRunner({ failing })
    await workshop.enqueue({ kind: 'failing' })
    await runner.idle()
    await failAgain(runner, MAX_FAILURES - 1)
    expect(await workshop.effects()).toEqual([])
    // Returned, and no worker counts as crashed for it.
    expect(await workshop.jobs()).toMatchObject([{ failures: MAX_FAILURES, crashes: 0, lease: null }])
    for (const failures of [1, 2, 3].map((more) => MAX_FAILURES + more)) {
      workshop.clock.advance(MAX_BACKOFF / 2 - 1)
      await runner.idle()
      expect(await workshop.jobs()).toMatchObject([{ failures: failures - 1 }])
      workshop.clock.advance(MAX_BACKOFF / 2 + 1)
      await runner.idle()
      expect(await workshop.jobs()).toMatchObject([{ failures, crashes: 0, lease: null }])
    }
    mended = true
    workshop.clock.advance(MAX_BACKOFF)
    await runner.idle()
    expect(await workshop.effects()).toEqual(['gave up'])
    expect(await workshop.jobs()).toEqual([])
  })

  test('a job finishes if its failures end before it is given up', async () => {
    let failures = 0
    const shaky = handler(({ name }, { finish }) =>
      failures++ < MAX_FAILURES - 1 ? broken() : finish((tx) => writeEffect(tx, name)),
    )
    const runner = workshop.startRunner({ shaky })
    await workshop.enqueue({ kind: 'shaky', payload: { name: 'late' } })
    await runner.idle()
    await failAgain(runner, MAX_FAILURES - 1)
    expect(await workshop.effects()).toEqual(['late'])
    expect(await workshop.jobs()).toEqual([])
  })

  test('a job that crashed its worker twenty times is given up without another run', async () => {
    const { database, clock, ids } = workshop
    await workshop.enqueue({ kind: 'deadly', payload: { name: 'it' } })
    for (let attempt = 0; attempt < MAX_CRASHES; attempt++) {
      const now = clock.now()
      const claim = { now, lease: ids.next('lease'), leaseEnds: now, limit: 1, kinds: ['deadly'], except: [] }
      expect(await database.transact((tx) => claimJobs(tx, database.dialect, claim))).toHaveLength(1)
    }
    const deadly = handler(
      ({ name }, { finish }) => finish((tx) => writeEffect(tx, `ran ${name}`)),
      (tx, { name }) => writeEffect(tx, `gave up ${name}`),
    )
    await workshop.startRunner({ deadly }).idle()
    expect(await workshop.effects()).toEqual(['gave up it'])
    expect(await workshop.jobs()).toEqual([])
  })

  /** Lets the next attempts finish. */
  async function failAgain(runner: JobRunner, times: number): Promise<void> {
    for (let attempt = 0; attempt < times; attempt++) {
      workshop.clock.advance(16 * SECOND)
      await runner.idle()
    }
  }
})
