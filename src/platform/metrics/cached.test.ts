import { expect, onTestFinished, test, vi } from 'vitest'
import { cacheMetrics, cacheReads } from './cached.ts'
import type { Metric } from './port.ts'

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

const NO_SAMPLES: readonly never[] = []
const createMetric = (read: Metric['read']): Metric => ({ name: 'jobs', help: 'Jobs', type: 'gauge', read })
const readAll = (metrics: readonly Metric[]) => metrics.map((metric) => metric.read())

test('metrics are read one after the other, also if one of them fails', async () => {
  let reading = 0
  let most = 0
  const read = async () => {
    most = Math.max(most, ++reading)
    await new Promise((resolve) => setImmediate(resolve))
    reading--
    return NO_SAMPLES
  }
  const failing = async () => {
    await read()
    throw new Error('no database')
  }
  const results = await Promise.allSettled(readAll(cacheMetrics([read, failing, read].map(createMetric), 0)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(most).toBe(1)
})

test('a metric that takes long does not delay the others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { promise: lock, resolve: unlock } = Promise.withResolvers<readonly never[]>()
  const [locked, ...others] = readAll(
    cacheMetrics([() => lock, async () => NO_SAMPLES, async () => NO_SAMPLES].map(createMetric), 0),
  )
  await vi.advanceTimersByTimeAsync(100)
  expect(await Promise.all(others)).toEqual([NO_SAMPLES, NO_SAMPLES])
  unlock(NO_SAMPLES)
  expect(await locked).toBe(NO_SAMPLES)
})
