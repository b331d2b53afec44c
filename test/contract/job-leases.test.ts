import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Clock } from '../../src/platform/clock/port.ts'
import { claimJobs, returnAllJobs } from '../../src/platform/jobs/store.ts'
import { databaseKinds } from '../support/databases.ts'
import {
  failOnce,
  handler,
  LEASE_SECONDS,
  note,
  openWorkshop,
  promised,
  until,
  type Workshop,
  writeEffect,
} from '../support/jobs.ts'

const SECOND = 1000
const LEASE = LEASE_SECONDS * SECOND
const HEARTBEAT = LEASE / 3

describe.each(Object.entries(databaseKinds))('a job in hand on %s', (_kind, open) => {
  let workshop: Workshop
  beforeEach(async () => {
    workshop = await openWorkshop(open)
  })
  afterEach(() => workshop.close())

  const later = (milliseconds: number) => new Date(workshop.clock.now().getTime() + milliseconds)

  /** What a worker leaves behind that is killed with a job in hand. */
  async function takeAndDie(): Promise<void> {
    const { database, clock, ids } = workshop
    const claim = { now: clock.now(), lease: ids.next('lease'), leaseEnds: later(LEASE), limit: 1, except: [] }
    expect(await database.transact((tx) => claimJobs(tx, database.dialect, claim))).toHaveLength(1)
  }

  /** A handler that waits to be told before it writes its effect, whatever its signal says. */
  function heldHandler() {
    const taken = promised<AbortSignal>()
    const release = promised()
    let runs = 0
    const held = handler(async ({ name }, { signal, finish }) => {
      runs++
      taken.resolve(signal)
      await release.promise
      await finish((tx) => writeEffect(tx, name))
    })
    return { held, taken: taken.promise, release: release.resolve, runs: () => runs }
  }

  /** A handler that gives up as soon as it is told to stop, as they should. */
  function patientHandler() {
    const taken = promised<AbortSignal>()
    const patient = handler(async (_, { signal }) => {
      taken.resolve(signal)
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    return { patient, taken: taken.promise }
  }

  test('comes back when its worker has died: after the lease, and not before', async () => {
    await workshop.enqueue({ kind: 'note', payload: { name: 'orphan' } })
    await takeAndDie()
    const runner = workshop.startRunner({ note })
    workshop.clock.advance(LEASE - 1)
    await runner.idle()
    expect(await workshop.effects()).toEqual([])
    workshop.clock.advance(1)
    await runner.idle()
    expect(await workshop.effects()).toEqual(['orphan'])
  })

  test('comes back at once when somebody who knows that all workers are gone says so', async () => {
    await workshop.enqueue({ kind: 'note', payload: { name: 'orphan' } })
    await workshop.enqueue({ kind: 'note', payload: { name: 'not yet' }, runAt: later(1) })
    await takeAndDie()
    await workshop.database.transact((tx) => returnAllJobs(tx, workshop.clock.now()))
    await workshop.startRunner({ note }).idle()
    expect(await workshop.effects()).toEqual(['orphan'])
  })

  test('stays with its worker for as long as that one shows that it is alive', async () => {
    const { held, taken, release } = heldHandler()
    await workshop.enqueue({ kind: 'held', payload: { name: 'long' } })
    const runner = workshop.startRunner({ held })
    await taken
    const other = workshop.startRunner({ held: note })
    for (let beat = 0; beat < 6; beat++) {
      await moveBy(HEARTBEAT)
      await other.idle()
    }
    expect(await workshop.jobs()).toMatchObject([{ attempts: 1 }])
    release()
    await runner.idle()
    expect(await workshop.effects()).toEqual(['long'])
  })

  test('stays with its worker though one sign of life fails', async () => {
    const { held, taken, release } = heldHandler()
    await workshop.enqueue({ kind: 'held', payload: { name: 'long' } })
    const database = failOnce(workshop.database, 'transact', () => failing)
    let failing = false
    const runner = workshop.startRunner({ held }, { database })
    const signal = await taken
    failing = true
    workshop.clock.advance(HEARTBEAT)
    await until(async () => database.hasFailed())
    await moveBy(HEARTBEAT)
    expect(signal.aborted).toBe(false)
    release()
    await runner.idle()
    expect(await workshop.effects()).toEqual(['long'])
  })

  test('is not started again by its own worker when the time of the machine is set forward', async () => {
    // Timers go on as before when the time is set, so no sign of life comes first.
    let now = workshop.clock.now()
    const clock: Clock = { now: () => now, sleep: (milliseconds, signal) => workshop.clock.sleep(milliseconds, signal) }
    const { held, taken, release, runs } = heldHandler()
    await workshop.enqueue({ kind: 'held', payload: { name: 'long' } })
    const runner = workshop.startRunner({ held, note }, { clock, concurrency: 3 })
    await taken
    now = later(3600 * SECOND)
    await workshop.enqueue({ kind: 'note', payload: { name: 'short' } })
    runner.wake()
    await until(async () => (await workshop.effects()).length > 0)
    release()
    await runner.idle()
    expect(runs()).toBe(1)
    expect(await workshop.effects()).toEqual(['short', 'long'])
  })

  describe('that another worker took over', () => {
    // The clock of a machine that sleeps stands still, and nobody hears of its worker.
    const startSleepingRunner = async (options: Parameters<Workshop['startRunner']>[0]) => {
      const clock = new ManualClock(workshop.clock.now())
      return { clock, runner: workshop.startRunner(options, { clock }) }
    }
    const takeOver = async () => {
      workshop.clock.advance(LEASE)
      await workshop.startRunner({ held: note, patient: note }).idle()
    }

    test('has no effect when its first worker finishes it', async () => {
      const { held, taken, release, runs } = heldHandler()
      await workshop.enqueue({ kind: 'held', payload: { name: 'once' } })
      const { runner } = await startSleepingRunner({ held })
      await taken
      await takeOver()
      expect(await workshop.effects()).toEqual(['once'])
      release()
      await runner.stop()
      expect(runs()).toBe(1)
      expect(await workshop.effects()).toEqual(['once'])
      expect(await workshop.jobs()).toEqual([])
    })

    test('is aborted with its first worker at the next sign of life, and not before', async () => {
      const { patient, taken } = patientHandler()
      await workshop.enqueue({ kind: 'patient', payload: { name: 'once' } })
      const { clock, runner } = await startSleepingRunner({ patient })
      const signal = await taken
      await takeOver()
      clock.advance(HEARTBEAT - 1)
      expect(signal.aborted).toBe(false)
      clock.advance(1)
      await runner.idle()
      expect(signal.reason).toMatchObject({ name: 'LeaseLostError' })
      expect(await workshop.effects()).toEqual(['once'])
    })

    test('is not disturbed when its first worker fails', async () => {
      const { patient, taken } = patientHandler()
      await workshop.enqueue({ kind: 'patient' })
      const first = await startSleepingRunner({ patient })
      await taken
      workshop.clock.advance(LEASE)
      const second = patientHandler()
      workshop.startRunner({ patient: second.patient })
      await second.taken
      const before = await workshop.jobs()
      await first.runner.stop()
      expect(await workshop.jobs()).toEqual(before)
    })
  })

  describe('when its worker is stopped', () => {
    test('is given back at once, and counts as never tried', async () => {
      const { patient, taken } = patientHandler()
      await workshop.enqueue({ kind: 'patient', payload: { name: 'passed on' } })
      const runner = workshop.startRunner({ patient })
      await taken
      await runner.stop()
      expect(await workshop.jobs()).toMatchObject([{ attempts: 0, lease: null }])
      await workshop.startRunner({ patient: note }).idle()
      expect(await workshop.effects()).toEqual(['passed on'])
    })

    test('comes to its end if it cannot be interrupted', async () => {
      const { held, taken, release } = heldHandler()
      await workshop.enqueue({ kind: 'held', payload: { name: 'last' } })
      const runner = workshop.startRunner({ held })
      const signal = await taken
      let stopped = false
      const stop = runner.stop().then(() => {
        stopped = true
      })
      expect(signal.aborted).toBe(true)
      await workshop.database.transact(async () => {})
      expect(stopped).toBe(false)
      release()
      await stop
      expect(await workshop.effects()).toEqual(['last'])
      expect(await workshop.jobs()).toEqual([])
    })

    test('is the last: a stopped worker takes nothing more, and whoever waits for it to be idle is told', async () => {
      const { patient, taken } = patientHandler()
      await workshop.enqueue({ kind: 'patient' })
      await workshop.enqueue({ kind: 'note', payload: { name: 'too late' } })
      const runner = workshop.startRunner({ patient, note })
      await taken
      const idle = runner.idle()
      await runner.stop()
      await idle
      await workshop.enqueue({ kind: 'note', payload: { name: 'much too late' } })
      runner.wake()
      expect(await workshop.effects()).toEqual([])
      expect(await workshop.jobs()).toHaveLength(3)
    })
  })

  /** Moves the clock, and waits for the sign of life that this brings about. */
  async function moveBy(milliseconds: number): Promise<void> {
    workshop.clock.advance(milliseconds)
    const end = later(LEASE).toISOString()
    await until(async () => (await workshop.jobs()).every((job) => job.run_at === end))
  }
})
