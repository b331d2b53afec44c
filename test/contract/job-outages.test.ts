import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listGivenUp } from '../../src/platform/jobs/given-up-store.ts'
import { claimJobs, releaseAllJobs } from '../../src/platform/jobs/store.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { kindsOnDisk } from '../support/databases.ts'
import {
  createJobFixture,
  deferred,
  handler,
  intercept,
  type JobFixture,
  LEASE_SECONDS,
  OUTAGE_LIMIT,
  recordName,
  refused,
  writeEffect,
} from '../support/jobs.ts'
import { waitFor } from '../support/wait-for.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const MAX_BACKOFF = 5 * MINUTE

describe.each(Object.entries(kindsOnDisk))('a job on %s', (_kind, open) => {
  let workshop: JobFixture
  beforeEach(async () => {
    workshop = await createJobFixture(open)
  })
  afterEach(() => workshop.close())

  const givenUp = () => workshop.database.read((reader) => listGivenUp(reader, { limit: 10 }))

  /** Leaves a job as a worker killed while running it does. */
  async function crash(kind: string): Promise<void> {
    const { database, clock, ids } = workshop
    const now = clock.now()
    const claim = { now, lease: ids.next('lease'), leaseEnds: now, limit: 1, kinds: [kind], except: [] }
    expect(await database.transact((tx) => claimJobs(tx, database.dialect, claim))).toHaveLength(1)
  }

  describe('whose dependency is unavailable', () => {
    test('is retried for hours without counting failures, and finishes when it is back', async () => {
      let isBack = false
      let runs = 0
      const patient = handler(({ name }, { finish }) => {
        runs++
        return isBack ? finish((tx) => writeEffect(tx, name)) : refused()
      })
      const runner = workshop.startRunner({ patient })
      await workshop.enqueue({ kind: 'patient', payload: { name: 'in the end' } })
      await runner.idle()
      await workshop.pass(runner, MINUTE, SECOND)
      // More often than a job may fail, and less often than each second.
      expect(runs).toBeGreaterThan(10)
      expect(runs).toBeLessThan(30)
      await workshop.pass(runner, HOUR, MINUTE)
      const before = runs
      await workshop.pass(runner, HOUR, MINUTE)
      // Every five minutes at most, and no less often than that.
      expect(runs - before).toBeGreaterThanOrEqual(HOUR / MAX_BACKOFF - 1)
      expect(runs - before).toBeLessThanOrEqual((2 * HOUR) / MAX_BACKOFF)
      expect(await workshop.jobs()).toMatchObject([{ failures: 0, crashes: 0, lease: null }])
      isBack = true
      await workshop.pass(runner, MAX_BACKOFF)
      expect(await workshop.effects()).toEqual(['in the end'])
      expect(await givenUp()).toEqual([])
    })

    test('is given up when the outage exceeds the limit, and stays visible', async () => {
      const hopeless = handler(refused, (tx, { name }) => writeEffect(tx, `gave up ${name}`))
      const runner = workshop.startRunner({ hopeless })
      await workshop.enqueue({ kind: 'hopeless', payload: { name: 'it' } })
      await runner.idle()
      await workshop.pass(runner, OUTAGE_LIMIT - MAX_BACKOFF, MAX_BACKOFF)
      expect(await workshop.effects()).toEqual([])
      await workshop.pass(runner, 2 * MAX_BACKOFF, MAX_BACKOFF)
      expect(await workshop.effects()).toEqual(['gave up it'])
      expect(await workshop.jobs()).toEqual([])
      expect(await givenUp()).toMatchObject([
        { kind: 'hopeless', reason: 'OUTAGE', failures: 0, lastError: 'UnavailableError: S3 is unavailable' },
      ])
    })

    test('is still given up after a few failures of its own', async () => {
      let runs = 0
      const mixed = handler(
        () => (runs++ < 20 ? refused() : Promise.reject(new Error('broken'))),
        (tx) => writeEffect(tx, 'gave up'),
      )
      const runner = workshop.startRunner({ mixed })
      await workshop.enqueue({ kind: 'mixed' })
      await runner.idle()
      await workshop.pass(runner, 26 * MAX_BACKOFF, MAX_BACKOFF)
      expect(runs).toBe(26)
      expect(await givenUp()).toMatchObject([{ reason: 'FAILURES', failures: 6, lastError: 'Error: broken' }])
    })

    test('starts a new outage once it has made progress', async () => {
      let parts = 0
      const inParts = handler(async (_, { checkpoint, finish }) => {
        await checkpoint((tx) => writeEffect(tx, `part ${++parts}`))
        if (parts < 4) return refused()
        await finish(async () => {})
      })
      const runner = workshop.startRunner({ inParts })
      await workshop.enqueue({ kind: 'inParts' })
      await runner.idle()
      for (let day = 0; day < 3; day++) await workshop.pass(runner, OUTAGE_LIMIT)
      expect(await workshop.effects()).toHaveLength(4)
      expect(await workshop.jobs()).toEqual([])
      expect(await givenUp()).toEqual([])
    })

    test('is released as soon as the database is back, without counting a crash', async () => {
      let runs = 0
      let isDown = false
      const database = intercept(workshop.database, 'transact', (work) => (isDown ? refused() : work()))
      const slow = handler(async () => {
        // Once: the job is due again while the test still looks.
        if (runs++ === 0) isDown = true
        return refused()
      })
      await workshop.enqueue({ kind: 'slow' })
      workshop.startRunner({ slow }, { database })
      await waitFor(
        () => isDown,
        (seen) => seen,
      )
      for (let beat = 0; beat < 5; beat++) {
        workshop.clock.advance(SECOND)
        await new Promise(setImmediate)
      }
      isDown = false
      await waitFor(
        () => {
          workshop.clock.advance(SECOND)
          return workshop.jobs()
        },
        ([job]) => job?.lease === null,
      )
      expect(await workshop.jobs()).toMatchObject([{ failures: 0, crashes: 0 }])
    })
  })

  describe('whose worker crashed', () => {
    test('has not failed: it may still fail as often as any other job', async () => {
      await workshop.enqueue({ kind: 'unlucky' })
      for (let crashes = 0; crashes < 10; crashes++) await crash('unlucky')
      const unlucky = handler(
        () => Promise.reject(new Error('broken')),
        (tx) => writeEffect(tx, 'gave up'),
      )
      const runner = workshop.startRunner({ unlucky })
      await runner.idle()
      expect(await workshop.jobs()).toMatchObject([{ failures: 1, crashes: 10 }])
      await workshop.pass(runner, 15 * SECOND, SECOND)
      expect(await workshop.effects()).toEqual([])
      await workshop.pass(runner, 16 * SECOND)
      expect(await givenUp()).toMatchObject([{ reason: 'FAILURES', failures: 6, crashes: 10 }])
    })

    test('is given up after many crashes, with the reason', async () => {
      await workshop.enqueue({ kind: 'deadly' })
      for (let claims = 0; claims < 20; claims++) await crash('deadly')
      const deadly = handler(
        () => Promise.reject(new Error('must not run')),
        (tx) => writeEffect(tx, 'gave up'),
      )
      await workshop.startRunner({ deadly }).idle()
      expect(await workshop.effects()).toEqual(['gave up'])
      expect(await givenUp()).toMatchObject([
        { reason: 'CRASHES', failures: 0, crashes: 20, lastError: expect.stringContaining('crashed 20 times') },
      ])
    })

    test('is not said to run again if only the confirmation that it was given up is lost', async () => {
      await workshop.enqueue({ kind: 'deadly' })
      for (let claims = 0; claims < 20; claims++) await crash('deadly')
      let isGivenUp = false
      const database = intercept(workshop.database, 'transact', async (work) => {
        const result = await work()
        if (!isGivenUp) return result
        isGivenUp = false
        setImmediate(() => workshop.clock.advance(SECOND))
        return refused()
      })
      const giveUp = async () => {
        isGivenUp = true
      }
      const logger = await createLogger({ level: 'silent', pretty: false })
      const error = vi.spyOn(logger, 'error')
      const deadly = handler(() => Promise.reject(new Error('must not run')), giveUp)
      await workshop.startRunner({ deadly }, { database, logger }).idle()
      expect(await givenUp()).toHaveLength(1)
      const ended = 'cannot release the job; it has ended, or another worker claimed it'
      expect(error.mock.calls).toEqual([[expect.objectContaining({ kind: 'deadly' }), ended]])
    })

    test('counts as crashed also when all workers are known to be dead', async () => {
      await workshop.enqueue({ kind: 'note', payload: { name: 'x' } })
      await crash('note')
      await workshop.database.transact((tx) => releaseAllJobs(tx, workshop.clock.now()))
      expect(await workshop.jobs()).toMatchObject([{ crashes: 1, failures: 0, lease: null }])
    })
  })

  describe('of an unknown kind', () => {
    test('is left for a newer worker, however long that takes, and is logged once', async () => {
      const logger = await createLogger({ level: 'silent', pretty: false })
      const warn = vi.spyOn(logger, 'warn')
      const old = workshop.startRunner({ note: recordName }, { logger })
      await workshop.enqueue({ kind: 'newer', payload: { name: 'newer' } })
      await workshop.enqueue({ kind: 'newer', payload: { name: 'newer too' } })
      await workshop.enqueue({ kind: 'note', payload: { name: 'known' } })
      const waiting = (await workshop.jobs()).slice(0, 2)
      await old.idle()
      expect(await workshop.effects()).toEqual(['known'])
      await workshop.pass(old, 24 * HOUR, HOUR)
      expect(await workshop.jobs()).toEqual(waiting)
      const said = warn.mock.calls.filter(([fields]) => (fields as { kind?: string }).kind === 'newer')
      expect(said).toHaveLength(1)
      await workshop.startRunner({ newer: recordName }).idle()
      expect((await workshop.effects()).sort()).toEqual(['known', 'newer', 'newer too'])
    })

    test('does not keep a worker busy', async () => {
      let reads = 0
      const database = intercept(workshop.database, 'read', (work) => {
        reads++
        return work()
      })
      await workshop.enqueue({ kind: 'newer' })
      const runner = workshop.startRunner({ note: recordName }, { database })
      await runner.idle()
      const before = reads
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
      expect(reads).toBe(before)
    })
  })

  test('that never ends does not block the stop of its worker: its lease expires', async () => {
    const started = deferred()
    const endless = handler(async () => {
      started.resolve()
      await new Promise(() => {})
    })
    await workshop.enqueue({ kind: 'endless', payload: { name: 'endless' } })
    const runner = workshop.startRunner({ endless })
    await started.promise
    // The clock of the jobs stands still: a stop has its deadline in real time.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const stopped = runner.stop()
    vi.advanceTimersByTime(8 * SECOND)
    vi.useRealTimers()
    await stopped
    // The lease is no longer renewed.
    workshop.clock.advance(LEASE_SECONDS * SECOND)
    await workshop.startRunner({ endless: recordName }).idle()
    expect(await workshop.effects()).toEqual(['endless'])
  })
})
