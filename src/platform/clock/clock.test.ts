import { describe, expect, test } from 'vitest'
import { ManualClock } from './manual-clock.ts'
import { SystemClock } from './system-clock.ts'

const HOUR = 3_600_000

describe.each([
  ['ManualClock', () => new ManualClock('2026-01-01T00:00:00Z')],
  ['SystemClock', () => new SystemClock()],
])('%s', (_name, create) => {
  test('returns a time that moves with it, and the original time after a reset', () => {
    const clock = create()
    const before = clock.now().getTime()
    clock.advance(HOUR)
    expect(clock.now().getTime() - before).toBeGreaterThanOrEqual(HOUR)
    expect(clock.offsetMilliseconds).toBe(HOUR)
    clock.reset()
    expect(clock.now().getTime() - before).toBeLessThan(HOUR)
  })

  test('wakes only the sleepers that are due when it is moved', async () => {
    const clock = create()
    const woken: string[] = []
    const ending = new AbortController()
    const short = clock.sleep(HOUR, ending.signal).then(() => woken.push('short'))
    const long = clock.sleep(2 * HOUR, ending.signal).then(() => woken.push('long'))
    clock.advance(HOUR)
    await short
    expect(woken).toEqual(['short'])
    clock.advance(HOUR)
    await long
    expect(woken).toEqual(['short', 'long'])
  })

  test('wakes sleepers after no more than the time that they asked for, also if it was moved back', async () => {
    const clock = create()
    clock.freeze()
    clock.advance(1000 * HOUR)
    for (const moveBack of [() => clock.advance(-500 * HOUR), () => clock.reset()]) {
      const sleeping = clock.sleep(HOUR)
      moveBack()
      clock.freeze()
      // Sleepers look at the clock in the next tick.
      await Promise.resolve()
      clock.advance(HOUR)
      await sleeping
    }
  })

  test('wakes immediately when the signal aborts or is already aborted', async () => {
    const clock = create()
    const ending = new AbortController()
    const sleeping = clock.sleep(HOUR, ending.signal)
    ending.abort()
    await sleeping
    await clock.sleep(HOUR, ending.signal)
  })
})

test('SystemClock sleeps in real time unless it is moved', async () => {
  const clock = new SystemClock()
  const before = clock.now().getTime()
  await clock.sleep(20)
  expect(clock.now().getTime() - before).toBeGreaterThanOrEqual(20)
})
