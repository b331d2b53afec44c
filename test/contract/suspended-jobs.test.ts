import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { JobRunnerOptions } from '../../src/platform/jobs/job-runner.ts'
import { PostponedError } from '../../src/platform/jobs/port.ts'
import { kindsOnDisk } from '../support/databases.ts'
import {
  createJobFixture,
  deferred,
  handler,
  intercept,
  type JobFixture,
  type Named,
  recordName,
  refused,
  writeEffect,
} from '../support/jobs.ts'
import { waitFor } from '../support/wait-for.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
// As many as must meet an outage in a row.
const MIN_OUTAGES = 5

describe.each(Object.entries(kindsOnDisk))('a job on %s of a kind whose dependency is unavailable', (_kind, open) => {
  let workshop: JobFixture
  /** Names of the jobs that called the dependency. */
  let calls: string[]
  let isBack: boolean
  beforeEach(async () => {
    // Real time passes when a test says so, however slow the machine is.
    vi.useFakeTimers({ toFake: ['performance'] })
    workshop = await createJobFixture(open)
    calls = []
    isBack = false
  })
  afterEach(async () => {
    vi.useRealTimers()
    await workshop.close()
  })

  const store = handler(({ name }, { finish }) => {
    calls.push(name)
    return isBack ? finish((tx) => writeEffect(tx, name)) : refused()
  })

  const enqueueMany = async (kind: string, count: number) => {
    for (let index = 0; index < count; index++) await workshop.enqueue({ kind, payload: { name: `${kind} ${index}` } })
  }
  const enqueue = (name: string, kind = 'store') => workshop.enqueue({ kind, payload: { name } })

  /** A runner with one place that has suspended the kind. The jobs that met the outage are not due for a second. */
  async function startSuspended(
    run: typeof store.run = store.run,
    concurrency = 1,
    options: Partial<JobRunnerOptions> = {},
  ) {
    let outages = 0
    const failsFirst = handler((job, context) => (outages++ < MIN_OUTAGES ? refused() : run(job, context)))
    await enqueueMany('store', MIN_OUTAGES)
    const runner = workshop.startRunner({ store: failsFirst, note: recordName }, { concurrency, ...options })
    await runner.idle()
    return runner
  }

  describe('with many others', () => {
    const MANY = 100
    const concurrency = 4
    // And those that ran beside the last of them.
    const MAX_FIRST_CALLS = MIN_OUTAGES + concurrency

    test('waits without a call while another one is tried each second, and runs when that one succeeds', async () => {
      await enqueueMany('store', MANY)
      const runner = workshop.startRunner({ store, note: recordName }, { concurrency })
      await runner.idle()
      expect(calls.length).toBeLessThanOrEqual(MAX_FIRST_CALLS)
      const first = calls.length
      await workshop.pass(runner, MINUTE, SECOND)
      expect(calls.length - first).toBe(60)
      await enqueue('unaffected', 'note')
      await runner.idle()
      expect(await workshop.effects()).toEqual(['unaffected'])
      isBack = true
      const before = calls.length
      await workshop.pass(runner, SECOND)
      // All but those that had their turn, which have a pause of their own.
      expect(await workshop.effects()).toHaveLength(1 + calls.length - before)
      expect(calls.length - before).toBeGreaterThan(1)
      await workshop.pass(runner, 10 * SECOND, SECOND)
      expect(await workshop.effects()).toHaveLength(1 + MANY)
    })

    test('does not keep more than half of the places while its dependency hangs', async () => {
      let hanging = 0
      let outages = 0
      const hang = handler(async (_, { signal }) => {
        if (++outages <= MAX_FIRST_CALLS) return refused()
        hanging++
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      })
      await enqueueMany('hang', MANY)
      const runner = workshop.startRunner({ hang, note: recordName }, { concurrency, leaseSeconds: 3600 })
      await waitFor(
        () => {
          workshop.clock.advance(SECOND)
          return hanging
        },
        (count) => count === concurrency / 2,
      )
      workshop.clock.advance(MINUTE)
      await enqueue('unaffected', 'note')
      runner.wake()
      await waitFor(workshop.effects, (effects) => effects.length > 0)
      expect(hanging).toBe(concurrency / 2)
    })
  })

  test('runs if only a few jobs of the kind have such a problem', async () => {
    const some = handler(({ name }, { finish }) =>
      /[0-3]$/.test(name) ? refused() : finish((tx) => writeEffect(tx, name)),
    )
    await enqueueMany('some', 20)
    await workshop.startRunner({ some }).idle()
    expect(await workshop.effects()).toHaveLength(12)
  })

  test('is tried before the due jobs of another kind, however many there are', async () => {
    const runner = await startSuspended()
    isBack = true
    await enqueueMany('note', 20)
    await enqueue('tried')
    await workshop.pass(runner, SECOND)
    const effects = await workshop.effects()
    expect(effects[0]).toBe('tried')
    expect(effects.filter((effect) => effect.startsWith('note'))).toHaveLength(20)
  })

  test('is tried also if another suspended kind has no due job', async () => {
    const runner = workshop.startRunner({ cancelled: handler(refused), store })
    const keys = Array.from({ length: MIN_OUTAGES }, (_, index) => `key ${index}`)
    for (const key of keys) await workshop.enqueue({ kind: 'cancelled', key })
    await runner.idle()
    await workshop.database.transact((tx) => workshop.queue.remove(tx, 'cancelled', keys))
    await enqueueMany('store', MIN_OUTAGES)
    await runner.idle()
    isBack = true
    await enqueue('tried')
    await workshop.pass(runner, SECOND)
    expect(await workshop.effects()).toContain('tried')
  })

  describe('that hangs, beside jobs of another kind for a single place,', () => {
    const HANGS = 30 * SECOND
    const NOTES = 40

    /** Runs all notes, each of which takes a second, while trials hang. Returns what ran in which order. */
    async function runBeside(kinds: readonly string[]) {
      const ran: string[] = []
      const outages = new Map(kinds.map((kind) => [kind, 0]))
      const hanging = (kind: string) =>
        handler(() => {
          const count = (outages.get(kind) ?? 0) + 1
          outages.set(kind, count)
          if (count <= MIN_OUTAGES) return refused()
          ran.push('trial')
          vi.advanceTimersByTime(HANGS)
          return refused()
        })
      const note = handler(async ({ name }, { finish }) => {
        ran.push('note')
        vi.advanceTimersByTime(SECOND)
        await finish((tx) => writeEffect(tx, name))
      })
      const handlers = Object.fromEntries([...kinds.map((kind) => [kind, hanging(kind)]), ['note', note]])
      for (const kind of kinds) await enqueueMany(kind, MIN_OUTAGES)
      const runner = workshop.startRunner(handlers, { leaseSeconds: 3600 })
      await runner.idle()
      for (const kind of kinds) await enqueueMany(kind, 20)
      await enqueueMany('note', NOTES)
      vi.advanceTimersByTime(SECOND)
      await runner.idle()
      return ran
    }

    test.each([[['store']], [['store', 'read']]])('uses half of the time (%j)', async (kinds) => {
      const ran = await runBeside(kinds)
      const first = ran.slice(0, 1 + HANGS / SECOND + 1)
      expect(first).toEqual(['trial', ...Array(HANGS / SECOND).fill('note'), 'trial'])
    })
  })

  test('lets one of another kind run before the next trial, however many trials end without a call', async () => {
    const ran: string[] = []
    let outages = 0
    const postponed = handler(() => {
      if (outages++ < MIN_OUTAGES) return refused()
      ran.push('trial')
      return Promise.reject(new PostponedError('not yet', () => new Date(workshop.clock.now().getTime() + DAY)))
    })
    const note = handler(async (_, { finish }) => {
      ran.push('note')
      await finish(async () => {})
    })
    await enqueueMany('store', MIN_OUTAGES)
    const runner = workshop.startRunner({ store: postponed, note })
    await runner.idle()
    await enqueueMany('store', 20)
    await enqueueMany('note', 5)
    await workshop.pass(runner, SECOND)
    expect(ran.slice(0, 6)).toEqual(['trial', ...Array(5).fill('note')])
    expect(ran.filter((one) => one === 'trial').length).toBeGreaterThanOrEqual(20)
  })

  test('takes turns with another suspended kind if there is one place', async () => {
    const tried: string[] = []
    const slow = (kind: string) =>
      handler(() => {
        tried.push(kind)
        // Longer than the pause, so both kinds wait for the place when it ends.
        if (tried.length > 2 * MIN_OUTAGES) workshop.clock.advance(2 * SECOND)
        return refused()
      })
    await enqueueMany('a', 20)
    const runner = workshop.startRunner({ a: slow('a'), b: slow('b') }, { leaseSeconds: 3600 })
    await runner.idle()
    await enqueueMany('b', 20)
    await runner.idle()
    expect(tried).toHaveLength(2 * MIN_OUTAGES)
    workshop.clock.advance(SECOND)
    await waitFor(
      () => tried.length,
      (count) => count >= 2 * MIN_OUTAGES + 10,
    )
    expect(tried.slice(2 * MIN_OUTAGES, 2 * MIN_OUTAGES + 10).join('')).toMatch(/^(ab){5}$|^(ba){5}$/)
  })

  test('is tried for one seller after the other, also while another kind is suspended', async () => {
    const tried = { a: [] as string[], b: [] as string[] }
    const note = (kind: 'a' | 'b') =>
      handler(({ name }) => {
        tried[kind].push(name)
        return refused()
      })
    for (let count = 0; count < 15; count++)
      for (const kind of ['a', 'b'])
        for (const owner of ['X', 'Y']) await workshop.enqueue({ kind, owner, payload: { name: owner } })
    const runner = workshop.startRunner({ a: note('a'), b: note('b') }, { concurrency: 4 })
    await runner.idle()
    tried.a = []
    tried.b = []
    await workshop.pass(runner, 6 * SECOND, SECOND)
    for (const owners of [tried.a, tried.b]) expect(owners.join('')).toMatch(/^(XY){3}$|^(YX){3}$/)
  })

  test('runs as soon as another one has made progress, also if that one takes an hour', async () => {
    const end = deferred()
    const runner = await startSuspended(async ({ name }, { checkpoint, finish }) => {
      if (name === 'large') {
        await checkpoint((tx) => writeEffect(tx, 'part'))
        await end.promise
      }
      await finish((tx) => writeEffect(tx, name))
    }, 2)
    await enqueue('large')
    for (const name of ['small 1', 'small 2', 'small 3']) await enqueue(name)
    workshop.clock.advance(SECOND)
    await waitFor(workshop.effects, (effects) => effects.includes('small 3'))
    expect(await workshop.effects()).not.toContain('large')
    end.resolve()
    await runner.idle()
    expect(await workshop.effects()).toContain('large')
  })

  test.each([
    [
      'was only postponed',
      () => new PostponedError('not yet', () => new Date(workshop.clock.now().getTime() + MINUTE)),
    ],
    ['failed by itself', () => new Error('damaged')],
  ])('is tried in the same second if the one before %s, and the others wait on', async (_title, errorOf) => {
    const runner = await startSuspended(({ name }: Named, context) =>
      name === 'first' ? Promise.reject(errorOf()) : store.run({ name }, context),
    )
    await enqueue('first')
    for (let count = 0; count < 20; count++) await enqueue('next')
    await workshop.pass(runner, SECOND)
    expect(calls).toEqual(['next'])
  })

  test('is tried after a second of real time while the clock stands still', async () => {
    const runner = await startSuspended()
    isBack = true
    await enqueue('tried')
    await runner.idle()
    expect(await workshop.effects()).toEqual([])
    vi.advanceTimersByTime(SECOND)
    await runner.idle()
    expect(await workshop.effects()).toEqual(['tried'])
  })

  test('is tried while the clock stands still, also if nothing wakes the worker', async () => {
    vi.useRealTimers()
    await startSuspended()
    isBack = true
    await enqueue('tried')
    await waitFor(workshop.effects, (effects) => effects.includes('tried'))
  })

  test('is tried while the clock stands still, also if its pause ends while a poll looks for other jobs', async () => {
    let onRead = () => {}
    const database = intercept(workshop.database, 'read', (work) => {
      onRead()
      return work()
    })
    const runner = await startSuspended(store.run, 1, { database })
    isBack = true
    await enqueue('tried')
    vi.advanceTimersByTime(SECOND - 1)
    onRead = () => vi.advanceTimersByTime(1)
    runner.wake()
    await waitFor(workshop.effects, (effects) => effects.includes('tried'))
  })

  test('has a metric, which names the kind', async () => {
    const runner = await startSuspended()
    const read = async () => {
      const [metric] = runner.metrics
      const samples = (await metric?.read()) ?? []
      return [metric?.name, Object.fromEntries(samples.map(({ labels, value }) => [labels.kind, value]))]
    }
    expect(await read()).toEqual(['souk_jobs_suspended', { store: 1, note: 0 }])
    isBack = true
    await enqueue('tried')
    await workshop.pass(runner, SECOND)
    expect(await read()).toEqual(['souk_jobs_suspended', { store: 0, note: 0 }])
  })

  test('is tried after the clock was set back', async () => {
    const runner = await startSuspended()
    isBack = true
    workshop.clock.set(new Date(workshop.clock.now().getTime() - DAY))
    await enqueue('tried')
    await runner.idle()
    expect(await workshop.effects()).toEqual(['tried'])
  })
})
