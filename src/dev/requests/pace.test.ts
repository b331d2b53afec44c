import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Pace } from './pace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch(maxPerSecond: number) {
  const received: { items: number[]; skipped: number }[] = []
  const pace = new Pace<number>(maxPerSecond, (items, skipped) => received.push({ items: [...items], skipped }))
  const add = (...items: number[]) => {
    for (const item of items) pace.add(item)
  }
  return { pace, received, add }
}

test('an item after a rest passes at once', () => {
  const { received, add } = watch(50)
  add(1)
  expect(received).toEqual([{ items: [1], skipped: 0 }])
  vi.advanceTimersByTime(200)
  add(2)
  expect(received.slice(1)).toEqual([{ items: [2], skipped: 0 }])
})

test('of many in a tenth of a second the newest pass, and the others are counted', () => {
  const { received, add } = watch(30)
  add(1, 2, 3, 4, 5, 6)
  expect(received).toEqual([{ items: [1], skipped: 0 }])
  vi.advanceTimersByTime(100)
  expect(received.slice(1)).toEqual([{ items: [5, 6], skipped: 3 }])
  add(7, 8, 9, 10)
  vi.advanceTimersByTime(100)
  expect(received.slice(2)).toEqual([{ items: [8, 9, 10], skipped: 1 }])
})

test.each([1, 3, 7, 10, 99, 500])('no more than %i pass in a second, and none is lost uncounted', (maxPerSecond) => {
  const { received, add } = watch(maxPerSecond)
  let added = 0
  for (let millisecond = 0; millisecond < 1_000; millisecond++) {
    add(added++, added++)
    vi.advanceTimersByTime(1)
  }
  const passed = () => received.flatMap(({ items }) => items)
  expect(passed().length).toBeGreaterThan(0)
  expect(passed().length).toBeLessThanOrEqual(maxPerSecond + 1)
  vi.advanceTimersByTime(2_000)
  expect(passed()).toEqual([...passed()].sort((one, other) => one - other))
  expect(passed().length + received.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(added)
})

test('nothing passes after the stop', () => {
  const { pace, received, add } = watch(100)
  add(1, 2)
  pace.stop()
  vi.advanceTimersByTime(1_000)
  expect(received).toHaveLength(1)
})
