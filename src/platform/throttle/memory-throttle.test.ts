import { describe, expect, test } from 'vitest'
import { ManualClock } from '../clock/manual-clock.ts'
import { MemoryThrottle } from './memory-throttle.ts'

const start = '2026-01-01T00:00:00Z'

function takeMany(throttle: MemoryThrottle, key: string, rate: { perSecond: number; burst: number }, times: number) {
  return Array.from({ length: times }, () => throttle.take(key, rate)).filter(Boolean).length
}

test('a full bucket allows its burst and no more', () => {
  const throttle = new MemoryThrottle(new ManualClock(start))
  expect(takeMany(throttle, 'a', { perSecond: 1, burst: 5 }, 10)).toBe(5)
})

test('over a long time a bucket allows its burst and then exactly its rate', () => {
  const clock = new ManualClock(start)
  const throttle = new MemoryThrottle(clock)
  const rate = { perSecond: 0.0167, burst: 15 }
  let taken = 0
  for (let second = 0; second < 100_000; second++) {
    if (throttle.take('a', rate)) taken++
    clock.advance(1000)
  }
  expect(taken).toBe(Math.floor(15 + 0.0167 * 99_999))
})

test('a request that is refused costs nothing', () => {
  const clock = new ManualClock(start)
  const throttle = new MemoryThrottle(clock)
  const rate = { perSecond: 1, burst: 1 }
  expect(takeMany(throttle, 'a', rate, 100)).toBe(1)
  clock.advance(1000)
  expect(throttle.take('a', rate)).toBe(true)
})

describe('when the clock is set back an hour', () => {
  const setBack = () => {
    const clock = new ManualClock(start)
    const throttle = new MemoryThrottle(clock)
    const rate = { perSecond: 1, burst: 5 }
    clock.advance(3_600_000)
    expect(takeMany(throttle, 'used', rate, 2)).toBe(2)
    expect(takeMany(throttle, 'empty', rate, 9)).toBe(5)
    clock.advance(-3_600_000)
    return { clock, throttle, rate }
  }

  test('a bucket still allows its remaining requests', () => {
    const { throttle, rate } = setBack()
    expect(takeMany(throttle, 'used', rate, 9)).toBe(3)
    expect(takeMany(throttle, 'unused', rate, 9)).toBe(5)
  })

  test('an empty bucket stays empty, and refills at its own rate', () => {
    const { clock, throttle, rate } = setBack()
    expect(throttle.take('empty', rate)).toBe(false)
    clock.advance(2000)
    expect(takeMany(throttle, 'empty', rate, 9)).toBe(2)
  })

  test('correcting it allows each bucket its burst and no more', () => {
    const { clock, throttle, rate } = setBack()
    expect(throttle.take('empty', rate)).toBe(false)
    clock.advance(3_600_000)
    expect(takeMany(throttle, 'empty', rate, 9)).toBe(5)
  })
})

test('a clock that jumps forward a year allows a bucket its burst and no more', () => {
  const clock = new ManualClock(start)
  const throttle = new MemoryThrottle(clock)
  const rate = { perSecond: 1, burst: 5 }
  expect(takeMany(throttle, 'a', rate, 9)).toBe(5)
  clock.advance(365 * 24 * 3_600_000)
  expect(takeMany(throttle, 'a', rate, 9)).toBe(5)
})

test('memory stays bounded for any number of callers', () => {
  const throttle = new MemoryThrottle(new ManualClock(start), 1000)
  for (let caller = 0; caller < 10_000; caller++) throttle.take(`caller ${caller}`, { perSecond: 1, burst: 5 })
  expect(throttle.size).toBe(1000)
})

test('full buckets are evicted first when there are too many', () => {
  const clock = new ManualClock(start)
  const throttle = new MemoryThrottle(clock, 2)
  const slow = { perSecond: 0.001, burst: 1 }
  throttle.take('slow', slow)
  throttle.take('quick', { perSecond: 1000, burst: 1 })
  clock.advance(1000)
  throttle.take('new', slow)
  expect(throttle.take('new', slow)).toBe(false)
  throttle.take('newer', slow)
  expect(throttle.take('newer', slow)).toBe(false)
  expect(throttle.size).toBe(2)
})

describe('buckets that are saved', () => {
  const rate = { perSecond: 1, burst: 5 }

  test('are as far from full when they are loaded, however much later, and replace the others', () => {
    const clock = new ManualClock(start)
    const throttle = new MemoryThrottle(clock)
    throttle.take('full again', { perSecond: 1000, burst: 1 })
    clock.advance(1)
    expect(takeMany(throttle, 'used', rate, 2)).toBe(2)
    const saved = throttle.save()
    expect(saved).toEqual({ used: 2000 })
    expect(takeMany(throttle, 'later', rate, 9)).toBe(5)
    clock.advance(3_600_000)
    throttle.load(saved)
    expect(throttle.size).toBe(1)
    expect(throttle.fullInMilliseconds('used')).toBe(2000)
    expect(takeMany(throttle, 'used', rate, 9)).toBe(3)
    expect(takeMany(throttle, 'later', rate, 9)).toBe(5)
  })

  test('are all full after a reset', () => {
    const throttle = new MemoryThrottle(new ManualClock(start))
    expect(takeMany(throttle, 'a', rate, 9)).toBe(5)
    throttle.reset()
    expect(throttle.size).toBe(0)
    expect(takeMany(throttle, 'a', rate, 9)).toBe(5)
  })
})
