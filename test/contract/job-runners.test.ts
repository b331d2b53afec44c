import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import type { JobRunner } from '../../src/platform/jobs/job-runner.ts'
import { insertKeyedJob } from '../../src/platform/jobs/store.ts'
import { kindsOnDisk } from '../support/databases.ts'
import {
  createJobFixture,
  deferred,
  handler,
  intercept,
  type JobFixture,
  type Named,
  recordName,
  withFailures,
  writeEffect,
} from '../support/jobs.ts'
import { waitFor } from '../support/wait-for.ts'

const SECOND = 1000

describe.each(Object.entries(kindsOnDisk))('workers on %s', (kind, open) => {
  let workshop: JobFixture
  beforeEach(async () => {
    workshop = await createJobFixture(open)
  })
  afterEach(() => workshop.close())

  test('a worker runs jobs up to its concurrency', async () => {
    const full = deferred()
    const released = deferred()
    let underWay = 0
    let most = 0
    const wide = handler(async () => {
      most = Math.max(most, ++underWay)
      if (underWay === 3) full.resolve()
      await released.promise
      underWay--
    })
    for (let job = 0; job < 9; job++) await workshop.enqueue({ kind: 'wide' })
    const runner = workshop.startRunner({ wide }, { concurrency: 3 })
    await full.promise
    await lookAgain(runner)
    expect((await workshop.jobs()).filter((job) => job.lease !== null)).toHaveLength(3)
    released.resolve()
    await runner.idle()
    expect(most).toBe(3)
    expect(await workshop.jobs()).toEqual([])
  })

  test('jobs of one kind leave a place of the worker to other kinds', async () => {
    const released = deferred()
    const began: string[] = []
    const long = handler(async ({ name }: Named) => {
      began.push(name)
      await released.promise
    })
    const short = handler(async ({ name }: Named, { finish }) => finish((tx) => writeEffect(tx, name)))
    for (const name of ['a', 'b', 'c', 'd', 'e']) await workshop.enqueue({ kind: 'long', payload: { name } })
    await workshop.enqueue({ kind: 'short', payload: { name: 'short' } })
    const runner = workshop.startRunner({ long, short }, { concurrency: 4 })
    await waitFor(
      () => workshop.effects(),
      (effects) => effects.includes('short'),
    )
    await lookAgain(runner)
    expect(began).toHaveLength(3)
    released.resolve()
    await runner.idle()
    expect(began).toHaveLength(5)
  })

  test('two workers share 200 jobs, and every effect happens once', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `job ${String(index).padStart(3, '0')}`)
    await workshop.database.transact(async (tx) => {
      for (const name of names) {
        await workshop.queue.enqueue(tx, { kind: 'share', payload: { name }, runAt: workshop.clock.now() })
      }
    })
    const started = [deferred(), deferred()]
    const bothStarted = Promise.all(started.map(({ promise }) => promise))
    const runners = started.map(({ resolve }) => {
      const share = handler(async ({ name }: Named, { finish }) => {
        resolve()
        await bothStarted
        await finish((tx) => writeEffect(tx, name))
      })
      return workshop.startRunner({ share }, { concurrency: 4 })
    })
    await Promise.all(runners.map((runner) => runner.idle()))
    expect((await workshop.effects()).sort()).toEqual(names)
    expect(await workshop.jobs()).toEqual([])
  })

  test.runIf(kind === 'PostgreSQL')('idle() waits for a due job that a transaction has locked', async () => {
    const locked = deferred()
    const released = deferred()
    await workshop.enqueue({ kind: 'note', payload: { name: 'locked' } })
    const [job] = await workshop.jobs()
    const lock = workshop.database.transact(async (tx) => {
      await insertKeyedJob(tx, { id: job?.job_id ?? '', kind: 'note', payload: {}, runAt: workshop.clock.now() })
      locked.resolve()
      await released.promise
    })
    await locked.promise
    let claims = 0
    const database = intercept(workshop.database, 'transact', (work) => {
      if (++claims === 5) released.resolve()
      return work()
    })
    const runner = workshop.startRunner({ note: recordName }, { database })
    await runner.idle()
    expect(await workshop.effects()).toEqual(['locked'])
    await lock
  })

  test('a job with a damaged time keeps no other job waiting', async () => {
    await workshop.enqueue({ kind: 'note', payload: { name: 'damaged' } })
    await workshop.database.transactSchema((tx) => tx.execute(`update jobs set run_at = 'damaged'`))
    await workshop.enqueue({ kind: 'note', payload: { name: 'other' } })
    const runner = workshop.startRunner({ note: recordName })
    await runner.idle()
    expect(await workshop.effects()).toEqual(['other'])
    await workshop.database.transactSchema((tx) => tx.execute(`update jobs set run_at = '0-0'`))
    await runner.idle()
    expect(await workshop.effects()).toEqual(['other', 'damaged'])
  })

  test('idle() resolves only after all due jobs and the jobs they enqueue', async () => {
    const first = handler((_, { finish }) =>
      finish((tx) =>
        workshop.queue.enqueue(tx, { kind: 'note', payload: { name: 'second' }, runAt: workshop.clock.now() }),
      ),
    )
    const runner = workshop.startRunner({ first, note: recordName })
    await runner.idle()
    await workshop.enqueue({ kind: 'first' })
    await Promise.all([runner.idle(), runner.idle()])
    expect(await workshop.effects()).toEqual(['second'])
  })

  test('idle() does not resolve while a job is running', async () => {
    const taken = deferred()
    const released = deferred()
    let isIdle = false
    const slow = handler(async () => {
      taken.resolve()
      await released.promise
    })
    await workshop.enqueue({ kind: 'slow' })
    const runner = workshop.startRunner({ slow }, { concurrency: 2 })
    await taken.promise
    const idle = runner.idle().then(() => {
      isIdle = true
    })
    await lookAgain(runner)
    expect(isIdle).toBe(false)
    released.resolve()
    await idle
    expect(await workshop.jobs()).toEqual([])
  })

  test('idle() waits for a job enqueued during a poll', async () => {
    const looked = deferred()
    const answered = deferred()
    const database = intercept(workshop.database, 'read', async (look) => {
      const found = await look()
      looked.resolve()
      await answered.promise
      return found
    })
    const runner = workshop.startRunner({ note: recordName }, { database })
    await looked.promise
    await workshop.enqueue({ kind: 'note', payload: { name: 'just in time' } })
    const idle = runner.idle()
    answered.resolve()
    await idle
    expect(await workshop.effects()).toEqual(['just in time'])
  })

  test.each(['read', 'transact'] as const)('a worker continues after the database failed in a %s', async (method) => {
    await workshop.enqueue({ kind: 'note', payload: { name: 'in spite of it' } })
    const { database, failNext } = withFailures(workshop.database, method)
    const failure = failNext()
    workshop.startRunner({ note: recordName }, { database })
    await failure
    await waitFor(
      () => {
        workshop.clock.advance(SECOND)
        return workshop.jobs()
      },
      (jobs) => jobs.length === 0,
    )
    expect(await workshop.effects()).toEqual(['in spite of it'])
  })

  test('a worker pauses ever longer before it looks again for a due job that another transaction has locked', async () => {
    await workshop.enqueue({ kind: 'note', payload: { name: 'locked' } })
    const database = intercept(workshop.database, 'transact', async () => [])
    const paused = deferred<number>()
    const sleep = vi.spyOn(SystemClock.prototype, 'sleep').mockImplementation((milliseconds, signal) => {
      if (milliseconds < 100) return setImmediate()
      paused.resolve(milliseconds)
      return workshop.clock.sleep(milliseconds, signal)
    })
    onTestFinished(() => sleep.mockRestore())
    workshop.startRunner({ note: recordName }, { database })
    expect(await paused.promise).toBe(100)
  })

  /** Has a worker that is not idle look for jobs, and gives it the time to do so. */
  async function lookAgain(runner: JobRunner): Promise<void> {
    runner.wake()
    for (let turns = 0; turns < 20; turns++) {
      await workshop.database.transact(async () => {})
      await setImmediate()
    }
  }
})
