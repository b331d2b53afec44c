import { describe, expect, test } from 'vitest'
import { exponentialBackoff } from './backoff.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const SEEDS = 200

/** How long after an outage of this length work is retried, if it first failed when the outage began. */
function delayAfter(outage: number, seed: number): number {
  let at = 0
  for (let failures = 1; at < outage; failures++) at += exponentialBackoff(failures, `${seed}-${failures}`)
  return at - outage
}
const longestDelayAfter = (outage: number) =>
  Math.max(...Array.from({ length: SEEDS }, (_, seed) => delayAfter(outage, seed)))

describe('work that failed because of an outage', () => {
  test.each([
    ['a second', SECOND, 2 * SECOND],
    ['a minute', MINUTE, 10 * SECOND],
    ['an hour', HOUR, 5 * MINUTE],
    ['a day', 24 * HOUR, 5 * MINUTE],
  ])('is retried soon after %s of it', (_, outage, delay) => {
    expect(longestDelayAfter(outage)).toBeLessThanOrEqual(delay)
  })

  test('is retried less and less often', () => {
    expect(exponentialBackoff(1, 'a')).toBeLessThanOrEqual(SECOND)
    expect(exponentialBackoff(50, 'a')).toBeGreaterThan(MINUTE)
    expect(exponentialBackoff(1000, 'a')).toBeGreaterThanOrEqual(2.5 * MINUTE)
  })
})
