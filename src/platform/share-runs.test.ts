import { expect, onTestFinished, test, vi } from 'vitest'
import { UnavailableError } from './errors/unavailable-error.ts'
import { shareRuns } from './share-runs.ts'

/** Work whose shared runs end when the test says so. */
function createWork() {
  const runs: { items: readonly string[]; end: (error?: Error) => void }[] = []
  const shared = (items: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      runs.push({ items, end: (error) => (error ? reject(error) : resolve(items.join(''))) })
    })
  const alone = async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('a bad item')
    return `${items.join('')} alone`
  }
  return { runs, work: { shared, alone, failsAll: (error: unknown) => error instanceof UnavailableError } }
}

const LIMITS = { runs: 1, itemsPerRun: 5, waitMilliseconds: 5_000 }

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

test('callers of one tick share a run', async () => {
  const { runs, work } = createWork()
  const share = shareRuns(work, LIMITS)
  const results = [share(['a']), share(['b', 'c'])]
  await tick()
  expect(runs.map(({ items }) => items)).toEqual([['a', 'b', 'c']])
  runs[0]?.end()
  expect(await Promise.all(results)).toEqual(['abc', 'abc'])
})

test('a caller never joins a run that has begun, and waits for the next one', async () => {
  const { runs, work } = createWork()
  const share = shareRuns(work, { ...LIMITS, runs: 2 })
  const results: Promise<string>[] = []
  for (const item of ['a', 'b', 'c', 'd']) {
    results.push(share([item]))
    await tick()
  }
  expect(runs.map(({ items }) => items)).toEqual([['a'], ['b']])
  runs[1]?.end()
  await results[1]
  await tick()
  expect(runs.map(({ items }) => items)).toEqual([['a'], ['b'], ['c', 'd']])
  runs[2]?.end()
  runs[0]?.end()
  expect(await Promise.all(results)).toEqual(['a', 'b', 'cd', 'cd'])
})

test('a run has a limited number of items, unless one caller has more', async () => {
  const { runs, work } = createWork()
  const share = shareRuns(work, { ...LIMITS, runs: 9, itemsPerRun: 2 })
  const results = [share(['a']), share(['b']), share(['c']), share(['d', 'e', 'f'])]
  await tick()
  expect(runs.map(({ items }) => items)).toEqual([['a', 'b'], ['c'], ['d', 'e', 'f']])
  for (const { end } of runs) end()
  await Promise.all(results)
})

test('if a shared run fails, each caller gets the result of its own', async () => {
  const { runs, work } = createWork()
  const share = shareRuns(work, LIMITS)
  const results = Promise.allSettled([share(['a']), share(['bad']), share(['c'])])
  await tick()
  runs[0]?.end(new Error('one of them is bad'))
  expect(await results).toMatchObject([{ value: 'a alone' }, { reason: new Error('a bad item') }, { value: 'c alone' }])
  const later = share(['d'])
  await tick()
  runs[1]?.end()
  expect(await later).toBe('d')
})

test('what fails all of a shared run is not tried again for each caller', async () => {
  const { runs, work } = createWork()
  const share = shareRuns(work, LIMITS)
  const results = Promise.allSettled([share(['a']), share(['b'])])
  await tick()
  const reason = new UnavailableError('away')
  runs[0]?.end(reason)
  expect(await results).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ])
})

test('a caller waits for a run for a limited time, and what was in its place goes on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { runs, work } = createWork()
  const share = shareRuns(work, LIMITS)
  const first = share(['a'])
  await tick()
  const late = [share(['b']), share(['c'])].map((result) => expect(result).rejects.toThrow(UnavailableError))
  await tick()
  vi.advanceTimersByTime(LIMITS.waitMilliseconds)
  await Promise.all(late)
  const next = share(['d'])
  await tick()
  runs[0]?.end()
  expect(await first).toBe('a')
  await tick()
  expect(runs.map(({ items }) => items)).toEqual([['a'], ['d']])
  runs[1]?.end()
  expect(await next).toBe('d')
})
