import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exponentialBackoff, jitteredBackoff } from '../../src/platform/backoff.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import { UnavailableError } from '../../src/platform/errors/unavailable-error.ts'
import { decideRetry, NO_FAILURES } from '../../src/platform/jobs/retry-policy.ts'
import { shareOf } from '../../src/platform/throttle/bucket.ts'
import { MemoryThrottle } from '../../src/platform/throttle/memory-throttle.ts'
import type { Rate } from '../../src/platform/throttle/port.ts'
import { SharedThrottle } from '../../src/platform/throttle/shared-throttle.ts'
import { assertAsyncProperty, assertProperty } from '../support/property.ts'

const START = new Date('2026-06-01T12:00:00.000Z')
// Intervals of whole milliseconds, so that a plain model with integers is exact.
const rate: fc.Arbitrary<Rate> = fc.record({
  perSecond: fc.constantFrom(0.005, 0.1, 0.5, 1, 2, 5, 10, 100),
  burst: fc.integer({ min: 1, max: 30 }),
})
const waits = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 10 ** 6 })),
  {
    maxLength: 60,
  },
)

/** A bucket that counts what it has, in thousandths of a token per millisecond. */
class PlainBucket {
  readonly #rate: Rate
  #left: number
  constructor(rate: Rate) {
    this.#rate = rate
    this.#left = rate.burst * this.#interval
  }
  get #interval() {
    return Math.round(1000 / this.#rate.perSecond)
  }
  pass(milliseconds: number) {
    this.#left = Math.min(this.#left + milliseconds, this.#rate.burst * this.#interval)
  }
  take() {
    if (this.#left < this.#interval) return false
    this.#left -= this.#interval
    return true
  }
  get left() {
    return this.#left / this.#interval
  }
}

describe('a quota', () => {
  test('grants what a bucket of tokens grants, and says what is left', () => {
    assertProperty(
      fc.property(rate, waits, (rate, waits) => {
        const clock = new ManualClock(START)
        const throttle = new MemoryThrottle(clock)
        const bucket = new PlainBucket(rate)
        for (const wait of waits) {
          clock.advance(wait)
          bucket.pass(wait)
          expect(throttle.take('key', rate)).toBe(bucket.take())
          const { left, nextInMilliseconds } = throttle.stateOf('key', rate)
          expect(left).toBeCloseTo(bucket.left, 3)
          const isReady = nextInMilliseconds < 0.02
          expect(isReady).toBe(bucket.left >= 1)
        }
      }),
    )
  })

  test('grants at once after the wait that it announced, and not a millisecond before', () => {
    assertProperty(
      fc.property(rate, waits, (rate, waits) => {
        const clock = new ManualClock(START)
        const throttle = new MemoryThrottle(clock)
        for (const wait of waits) {
          clock.advance(wait)
          while (throttle.take('key', rate));
          const next = Math.round(throttle.stateOf('key', rate).nextInMilliseconds)
          clock.advance(next - 1)
          expect(throttle.take('key', rate)).toBe(false)
          clock.advance(1)
          expect(throttle.take('key', rate)).toBe(true)
        }
      }),
      50,
    )
  })

  test('is not refilled by a clock that is set back, and not emptied either', () => {
    const moves = fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 60 })
    assertProperty(
      fc.property(rate, moves, (rate, moves) => {
        const clock = new ManualClock(START)
        const throttle = new MemoryThrottle(clock)
        const bucket = new PlainBucket(rate)
        for (const move of moves) {
          clock.advance(move)
          bucket.pass(Math.max(move, 0))
          expect(throttle.take('key', rate)).toBe(bucket.take())
        }
      }),
    )
  })

  test('of one key is not that of another, and survives being saved', () => {
    const taken = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 500 })), {
      maxLength: 40,
    })
    assertProperty(
      fc.property(rate, taken, (rate, taken) => {
        const clock = new ManualClock(START)
        let throttle = new MemoryThrottle(clock)
        const buckets = new Map(['a', 'b', 'c'].map((key) => [key, new PlainBucket(rate)]))
        for (const [key, wait] of taken) {
          clock.advance(wait)
          for (const bucket of buckets.values()) bucket.pass(wait)
          const saved = throttle.save()
          throttle = new MemoryThrottle(clock)
          throttle.load(saved)
          expect(throttle.take(key, rate)).toBe(buckets.get(key)?.take())
        }
      }),
    )
  })

  test('is not exceeded by processes that share it without a server', async () => {
    const takes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 2000 })), { maxLength: 80 })
    await assertAsyncProperty(
      fc.asyncProperty(rate, fc.integer({ min: 1, max: 8 }), takes, async (rate, processes, takes) => {
        const clock = new ManualClock(START)
        const throttles = Array.from(
          { length: processes },
          () => new SharedThrottle({ own: new MemoryThrottle(clock), processes }),
        )
        let granted = 0
        for (const [process, wait] of takes) {
          clock.advance(wait)
          const throttle = throttles[process % processes] as SharedThrottle
          if (await throttle.take('key', rate)) granted++
        }
        // Each process grants one request at a time, however small its share.
        const burst = Math.max(rate.burst, processes)
        const seconds = clock.offsetMilliseconds / 1000
        expect(granted).toBeLessThanOrEqual(burst + rate.perSecond * seconds + 1e-6)
      }),
      50,
    )
    assertProperty(
      fc.property(rate, fc.integer({ min: 1, max: 50 }), (rate, processes) => {
        const share = shareOf(rate, processes)
        expect(share.perSecond * processes).toBeCloseTo(rate.perSecond, 9)
        expect(share.burst).toBeGreaterThanOrEqual(1)
      }),
    )
  })
})

describe('a backoff', () => {
  const failures = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100_000 }))

  test('grows by a tenth up to its limit, and differs by its seed by less than half', () => {
    assertProperty(
      fc.property(failures, fc.string(), (failures, seed) => {
        const longest = Math.min(1000 * 1.1 ** (failures - 1), 300_000)
        const wait = exponentialBackoff(failures, seed)
        expect(wait).toBeGreaterThanOrEqual(Math.floor(longest / 2))
        expect(wait).toBeLessThanOrEqual(Math.ceil(longest))
        expect(exponentialBackoff(failures, seed)).toBe(wait)
        expect(exponentialBackoff(failures + 1, seed)).toBeGreaterThanOrEqual(wait)
        const jittered = jitteredBackoff(failures, { firstMilliseconds: 10, longestMilliseconds: 500 })
        expect(jittered).toBeGreaterThanOrEqual(0)
        expect(jittered).toBeLessThanOrEqual(Math.min(10 * 2 ** (failures - 1), 500))
      }),
    )
  })

  test('of a job that fails in any way ends, and an outage alone never counts as its failure', () => {
    const errors = fc.array(fc.boolean(), { minLength: 150, maxLength: 150 })
    const outageLimitMilliseconds = 3_600_000
    assertProperty(
      fc.property(errors, (outages) => {
        let history = NO_FAILURES
        let now = START
        let failures = 0
        for (const isOutage of outages) {
          const error = isOutage ? new UnavailableError('down') : new Error('bug')
          const decision = decideRetry(history, error, { now, outageLimitMilliseconds, seed: 'job' })
          history = decision.history
          if (!isOutage) failures++
          expect(history.failures).toBe(failures)
          if (decision.giveUp) {
            expect(decision.giveUp).toBe(isOutage ? 'OUTAGE' : 'FAILURES')
            const lasted = now.getTime() - (history.outageBeganAt?.getTime() ?? 0)
            if (isOutage) expect(lasted).toBeGreaterThanOrEqual(outageLimitMilliseconds)
            return
          }
          expect(decision.backoffMilliseconds).toBeGreaterThan(0)
          now = new Date(now.getTime() + decision.backoffMilliseconds)
        }
        throw new Error('The job is retried for ever')
      }),
    )
  })
})
