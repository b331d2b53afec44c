import { expect, test, vi } from 'vitest'
import { cacheReads } from './cached.ts'

test('readers at the same time, and soon after, share one reading', async () => {
  const read = vi.fn(async () => 3)
  const cached = cacheReads(read, 60_000)
  expect(await Promise.all([cached(), cached()])).toEqual([3, 3])
  expect(await cached()).toBe(3)
  expect(read).toHaveBeenCalledTimes(1)
})

test('without a time to keep it, each reading is new', async () => {
  let value = 0
  const cached = cacheReads(async () => ++value, 0)
  expect([await cached(), await cached()]).toEqual([1, 2])
})

test('a failed reading is not kept', async () => {
  const read = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error('no database')).mockResolvedValue(3)
  const cached = cacheReads(read, 60_000)
  await expect(cached()).rejects.toThrow('no database')
  expect(await cached()).toBe(3)
})
