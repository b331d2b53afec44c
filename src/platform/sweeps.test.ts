import { expect, onTestFinished, test } from 'vitest'
import { deferred } from '../../test/support/jobs.ts'
import { ManualClock } from './clock/manual-clock.ts'
import type { Database, Transaction } from './database/port.ts'
import { createLogger } from './logging/logger.ts'
import { inSteps, Sweeper } from './sweeps.ts'

const HOUR = 3_600_000

/** A sweep that reports each of its runs, and ends when it may. */
async function startSweeper(options: { startsLater?: boolean } = {}) {
  const clock = new ManualClock('2026-01-01T00:00:00Z')
  const logger = await createLogger({ level: 'silent', pretty: false })
  const runs: { signal: AbortSignal; end: () => void }[] = []
  let begun = deferred()
  const sweep = async (_context: unknown, signal: AbortSignal) => {
    const { promise, resolve } = deferred()
    runs.push({ signal, end: resolve })
    begun.resolve()
    await promise
    return 0
  }
  const sweeper = new Sweeper({ database: {} as Database, clock, logger }, [{ name: 'old rows', sweep }], options)
  onTestFinished(async () => {
    for (const { end } of runs) end()
    await sweeper.stop()
  })
  const nextRun = async () => {
    await begun.promise
    begun = deferred()
    return runs.at(-1) as (typeof runs)[number]
  }
  return { sweeper, clock, runs, nextRun }
}

test('a pause waits for the sweep that is running, and interrupts it', async () => {
  const { sweeper, nextRun } = await startSweeper()
  const run = await nextRun()
  let isPaused = false
  const pausing = sweeper.pause().then((resume) => {
    isPaused = true
    return resume
  })
  await new Promise(setImmediate)
  expect([run.signal.aborted, isPaused]).toEqual([true, false])
  run.end()
  const resume = await pausing
  resume()
  // What was interrupted begins again.
  expect((await nextRun()).signal.aborted).toBe(false)
})

test('no sweep begins during a pause, also when it is due', async () => {
  const { sweeper, clock, runs, nextRun } = await startSweeper()
  ;(await nextRun()).end()
  await new Promise(setImmediate)
  const resume = await sweeper.pause()
  clock.advance(HOUR)
  await new Promise(setImmediate)
  expect(runs).toHaveLength(1)
  resume()
  await nextRun()
  expect(runs).toHaveLength(2)
})

test('a copy of swept data is swept when the next sweep is due', async () => {
  const { clock, runs, nextRun } = await startSweeper({ startsLater: true })
  await new Promise(setImmediate)
  expect(runs).toHaveLength(0)
  clock.advance(HOUR)
  await nextRun()
})

test('no sweep begins during a pause before the first one', async () => {
  const { sweeper, clock, runs, nextRun } = await startSweeper({ startsLater: true })
  const resume = await sweeper.pause()
  clock.advance(HOUR)
  await new Promise(setImmediate)
  expect(runs).toHaveLength(0)
  resume()
  await nextRun()
})

test('a sweep begins again at once if the clock moved while it ran, because more has expired', async () => {
  const { clock, nextRun } = await startSweeper()
  const first = await nextRun()
  clock.advance(HOUR)
  first.end()
  await nextRun()
})

/** Runs transactions whose content the test supplies. */
const database = {
  dialect: 'sqlite',
  transact: (work: (tx: Transaction) => Promise<unknown>) => work({} as Transaction),
} as Pick<Database, 'dialect' | 'transact'>

test('requests are served between the steps of a sweep', async () => {
  let isServed = false
  setImmediate(() => {
    isServed = true
  })
  const seen: boolean[] = []
  await inSteps({ database }, async (_, limit) => {
    seen.push(isServed)
    return seen.length < 3 ? limit : 0
  })
  expect(seen).toEqual([false, true, true])
})

test('the steps of a sweep take fewer rows if each takes long, and more if it does not', async () => {
  const limitsOf = async (millisecondsPerRow: number) => {
    const limits: number[] = []
    await inSteps({ database }, async (_, limit) => {
      limits.push(limit)
      const end = performance.now() + limit * millisecondsPerRow
      while (performance.now() < end);
      return limits.length < 10 ? limit : 0
    })
    return limits
  }
  const slow = await limitsOf(0.5)
  expect(slow[0]).toBe(200)
  expect(slow.at(-1)).toBeLessThan(60)
  const [first = 0, ...others] = await limitsOf(0)
  expect(Math.max(...others)).toBeGreaterThan(first)
  expect(Math.max(...others)).toBeLessThanOrEqual(1_000)
})

test('a sweep ends between two steps if it is interrupted', async () => {
  const interruption = new AbortController()
  let steps = 0
  const { signal } = interruption
  await inSteps({ database, signal }, async (_, limit) => {
    steps++
    interruption.abort()
    return limit
  })
  expect(steps).toBe(1)
})
