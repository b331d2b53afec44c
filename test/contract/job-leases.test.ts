import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Clock } from '../../src/platform/clock/port.ts'
import type { JobHandlers } from '../../src/platform/jobs/port.ts'
import { claimJobs, releaseAllJobs } from '../../src/platform/jobs/store.ts'
import { kindsOnDisk } from '../support/databases.ts'
import {
  createJobFixture,
  deferred,
  handler,
  type JobFixture,
  LEASE_SECONDS,
  recordName,
  withFailures,
  writeEffect,
} from '../support/jobs.ts'
import { waitFor } from '../support/wait-for.ts'

const SECOND = 1000
const LEASE = LEASE_SECONDS * SECOND
const HEARTBEAT = LEASE / 3

describe.each(Object.entries(kindsOnDisk))('a claimed job on %s', (_kind, open) => {
  let workshop: JobFixture
  beforeEach(async () => {
    workshop = await createJobFixture(open)
  })
  afterEach(() => workshop.close())

  const later = (milliseconds: number) => new Date(workshop.clock.now().getTime() + milliseconds)

  /** The state after a worker was killed while it ran a job. */
  async function takeAndDie(): Promise<void> {
    const { database, clock, ids } = workshop
    const claim = {
      now: clock.now(),
      lease: ids.next('lease'),
      leaseEnds: later(LEASE),
      limit: 1,
      kinds: ['note'],
      except: [],
    }
    expect(await database.transact((tx) => claimJobs(tx, database.dialect, claim))).toHaveLength(1)
  }

  /** A job that runs until it is released. An uninterruptible job ignores its signal. */
  function longJob({ interruptible = true } = {}) {
    const taken = deferred<AbortSignal>()
    const released = deferred()
    let runs = 0
    const long = handler(async ({ name }, { signal, finish }) => {
      runs++
      taken.resolve(signal)
      await (interruptible ? Promise.race([released.promise, once(signal, 'abort')]) : released.promise)
      if (interruptible) signal.throwIfAborted()
      await finish((tx) => writeEffect(tx, name))
    })
    return { long, taken: taken.promise, release: released.resolve, runs: () => runs }
  }

  test('is claimed again after its worker died, once the lease has expired', async () => {
    await workshop.enqueue({ kind: 'note', payload: { name: 'orphan' } })
    await takeAndDie()
    const runner = workshop.startRunner({ note: recordName })
    workshop.clock.advance(LEASE - 1)
    await runner.idle()
    expect(await workshop.effects()).toEqual([])
    workshop.clock.advance(1)
    await runner.idle()
    expect(await workshop.effects()).toEqual(['orphan'])
  })

  test('is released immediately when all workers are known to be dead', async () => {
    await workshop.enqueue({ kind: 'note', payload: { name: 'orphan' } })
    await workshop.enqueue({ kind: 'note', payload: { name: 'not yet' }, runAt: later(1) })
    await takeAndDie()
    await workshop.database.transact((tx) => releaseAllJobs(tx, workshop.clock.now()))
    await workshop.startRunner({ note: recordName }).idle()
    expect(await workshop.effects()).toEqual(['orphan'])
  })

  /** Goes with the clock of the workshop, and knows how often a worker has begun to wait for its next sign of life. */
  function pulse() {
    let waits = 0
    const clock: Clock = {
      now: () => workshop.clock.now(),
      sleep(milliseconds, signal) {
        if (milliseconds === HEARTBEAT) waits++
        return workshop.clock.sleep(milliseconds, signal)
      },
    }
    const beat = async () => {
      const before = waits
      workshop.clock.advance(HEARTBEAT)
      await waitFor(
        () => waits,
        (seen) => seen > before,
      )
    }
    return { clock, beat }
  }

  test('stays with its worker while the lease is renewed', async () => {
    const { clock, beat } = pulse()
    const { long, taken, release } = longJob()
    await workshop.enqueue({ kind: 'long', payload: { name: 'long' } })
    const runner = workshop.startRunner({ long }, { clock })
    await taken
    const other = workshop.startRunner({ long: recordName })
    for (let beats = 0; beats < 7; beats++) {
      await beat()
      await other.idle()
    }
    expect(await workshop.jobs()).toMatchObject([{ failures: 0, crashes: 0 }])
    release()
    await runner.idle()
    expect(await workshop.effects()).toEqual(['long'])
  })

  test('stays with its worker when a renewal fails', async () => {
    const { clock, beat } = pulse()
    const { database, failNext } = withFailures(workshop.database, 'transact')
    const { long, taken } = longJob()
    await workshop.enqueue({ kind: 'long' })
    workshop.startRunner({ long }, { clock, database })
    const signal = await taken
    const failure = failNext()
    await beat()
    await failure
    await beat()
    expect(await workshop.jobs()).toMatchObject([{ run_at: later(LEASE).toISOString(), crashes: 0 }])
    expect(signal.aborted).toBe(false)
  })

  test('is not started again by its worker when the system clock jumps forward', async () => {
    // Timers do not follow the system clock, so no renewal happens first.
    let now = workshop.clock.now()
    const clock: Clock = { now: () => now, sleep: (milliseconds, signal) => workshop.clock.sleep(milliseconds, signal) }
    const { long, taken, release, runs } = longJob()
    await workshop.enqueue({ kind: 'long', payload: { name: 'long' } })
    const runner = workshop.startRunner({ long, note: recordName }, { clock, concurrency: 3 })
    await taken
    now = later(3600 * SECOND)
    await workshop.enqueue({ kind: 'note', payload: { name: 'short' } })
    runner.wake()
    await waitFor(workshop.effects, (effects) => effects.length > 0)
    release()
    await runner.idle()
    expect(runs()).toBe(1)
    expect(await workshop.effects()).toEqual(['short', 'long'])
  })

  describe('that another worker claimed', () => {
    // The clock of a sleeping machine does not advance, so its worker renews no leases.
    function startSleepingRunner(handlers: JobHandlers) {
      const clock = new ManualClock(workshop.clock.now())
      return { clock, runner: workshop.startRunner(handlers, { clock }) }
    }
    async function takeOver() {
      const { long, taken, release } = longJob()
      workshop.clock.advance(LEASE)
      const runner = workshop.startRunner({ long })
      await taken
      return { runner, release }
    }

    test('has no effect when its first worker finishes it', async () => {
      const { long, taken, release } = longJob()
      await workshop.enqueue({ kind: 'long', payload: { name: 'once' } })
      const first = startSleepingRunner({ long })
      await taken
      const second = await takeOver()
      release()
      await first.runner.idle()
      expect(await workshop.effects()).toEqual([])
      second.release()
      await second.runner.idle()
      expect(await workshop.effects()).toEqual(['once'])
      expect(await workshop.jobs()).toEqual([])
    })

    test('writes no more checkpoints, and the next worker sees none', async () => {
      const taken = deferred()
      const released = deferred()
      let failure: unknown
      const steps = handler(async ({ name }, { checkpoint }) => {
        await checkpoint((tx) => writeEffect(tx, `${name} begun`))
        taken.resolve()
        await released.promise
        await checkpoint((tx) => writeEffect(tx, `${name} too late`)).catch((error) => {
          failure = error
          throw error
        })
      })
      await workshop.enqueue({ kind: 'long', payload: { name: 'step' } })
      const first = startSleepingRunner({ long: steps })
      await taken.promise
      const second = await takeOver()
      released.resolve()
      await first.runner.idle()
      expect(failure).toMatchObject({ name: 'LeaseLostError' })
      expect(await workshop.effects()).toEqual(['step begun'])
      second.release()
      await second.runner.idle()
      expect(await workshop.effects()).toEqual(['step begun', 'step'])
    })

    test('is aborted at the next renewal, and not before', async () => {
      const { long, taken } = longJob()
      await workshop.enqueue({ kind: 'long' })
      const { clock, runner } = startSleepingRunner({ long })
      const signal = await taken
      await takeOver()
      clock.advance(HEARTBEAT - 1)
      await workshop.database.transact(async () => {})
      expect(signal.aborted).toBe(false)
      clock.advance(1)
      await runner.idle()
      expect(signal.reason).toMatchObject({ name: 'LeaseLostError' })
    })

    test('stays claimed when its first worker is stopped', async () => {
      const { long, taken } = longJob()
      await workshop.enqueue({ kind: 'long' })
      const first = startSleepingRunner({ long })
      await taken
      await takeOver()
      const before = await workshop.jobs()
      await first.runner.stop()
      expect(await workshop.jobs()).toEqual(before)
    })
  })

  describe('with checkpoints', () => {
    /** Writes a checkpoint, and finishes when released. */
    const inParts = (lastsUntil: (part: number) => boolean) => {
      let part = 0
      return handler(async (_, { checkpoint, finish }) => {
        await checkpoint((tx) => writeEffect(tx, `part ${++part}`))
        if (!lastsUntil(part)) throw new Error('broken')
        await finish((tx) => writeEffect(tx, 'end'))
      })
    }

    test('commits each checkpoint, whatever happens later', async () => {
      const runner = workshop.startRunner({ parts: inParts((part) => part === 2) })
      await workshop.enqueue({ kind: 'parts' })
      await runner.idle()
      expect(await workshop.effects()).toEqual(['part 1'])
      workshop.clock.advance(SECOND)
      await runner.idle()
      expect(await workshop.effects()).toEqual(['part 1', 'part 2', 'end'])
      expect(await workshop.jobs()).toEqual([])
    })

    test('rolls back a checkpoint that fails', async () => {
      const half = handler((_, { checkpoint }) =>
        checkpoint(async (tx) => {
          await writeEffect(tx, 'half a part')
          throw new Error('broken')
        }),
      )
      await workshop.enqueue({ kind: 'half' })
      await workshop.startRunner({ half }).idle()
      expect(await workshop.effects()).toEqual([])
      expect(await workshop.jobs()).toMatchObject([{ failures: 1, lease: null }])
    })

    test('is not given up while it makes progress, however often it fails', async () => {
      const OFTEN = 25
      const runner = workshop.startRunner({ parts: inParts((part) => part === OFTEN) })
      await workshop.enqueue({ kind: 'parts' })
      for (let count = 1; count < OFTEN; count++) {
        await runner.idle()
        expect(await workshop.jobs()).toMatchObject([{ failures: 1 }])
        // The backoff does not grow either.
        workshop.clock.advance(SECOND)
      }
      await runner.idle()
      expect((await workshop.effects()).at(-1)).toBe('end')
    })

    test('renews its lease with each checkpoint', async () => {
      const written = deferred()
      const released = deferred()
      const part = handler(async (_, { checkpoint }) => {
        workshop.clock.advance(HEARTBEAT / 2)
        await checkpoint(async () => {})
        written.resolve()
        await released.promise
      })
      await workshop.enqueue({ kind: 'part' })
      const runner = workshop.startRunner({ part })
      await written.promise
      expect(await workshop.jobs()).toMatchObject([{ run_at: later(LEASE).toISOString() }])
      released.resolve()
      await runner.idle()
    })

    test('writes no further checkpoint once its worker is stopped', async () => {
      const taken = deferred()
      const released = deferred()
      const part = handler(async ({ name }, { checkpoint }) => {
        taken.resolve()
        await released.promise
        await checkpoint((tx) => writeEffect(tx, name))
      })
      await workshop.enqueue({ kind: 'part', payload: { name: 'too late' } })
      const runner = workshop.startRunner({ part })
      await taken.promise
      const stopped = runner.stop()
      released.resolve()
      await stopped
      expect(await workshop.effects()).toEqual([])
      expect(await workshop.jobs()).toMatchObject([{ failures: 0, crashes: 0, lease: null }])
    })
  })

  describe('when its worker is stopped', () => {
    test('is released immediately, without counting an attempt', async () => {
      const { long, taken } = longJob()
      await workshop.enqueue({ kind: 'long', payload: { name: 'passed on' } })
      const runner = workshop.startRunner({ long })
      await taken
      await runner.stop()
      expect(await workshop.jobs()).toMatchObject([{ failures: 0, crashes: 0, lease: null }])
      await workshop.startRunner({ long: recordName }).idle()
      expect(await workshop.effects()).toEqual(['passed on'])
    })

    test('finishes if it cannot be interrupted', async () => {
      const { long, taken, release } = longJob({ interruptible: false })
      await workshop.enqueue({ kind: 'long', payload: { name: 'last' } })
      const runner = workshop.startRunner({ long })
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

    test('is the last one: no job is claimed, and idle() resolves', async () => {
      const { long, taken } = longJob()
      await workshop.enqueue({ kind: 'long' })
      await workshop.enqueue({ kind: 'note', payload: { name: 'too late' } })
      const runner = workshop.startRunner({ long, note: recordName })
      await taken
      const idle = runner.idle()
      await runner.stop()
      await idle
      expect(await workshop.effects()).toEqual([])
      expect(await workshop.jobs()).toHaveLength(2)
    })
  })
})
