import { expect, test } from 'vitest'
import { UnavailableError } from './errors/unavailable-error.ts'
import { shareRuns } from './share-runs.ts'

/** Work whose runs end when the test says so. */
function createWork() {
  const runs: { items: readonly string[]; end: (error?: Error) => void }[] = []
  const work = (items: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      runs.push({ items, end: (error) => (error ? reject(error) : resolve(items.join(''))) })
    })
  return { runs, work }
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

test('callers of one tick share a run', async () => {
  const { runs, work } = createWork()
  const share = shareRuns(work, { runs: 1, itemsPerRun: 5 })
  const results = [share(['a']), share(['b', 'c'])]
  await tick()
  expect(runs.map(({ items }) => items)).toEqual([['a', 'b', 'c']])
  runs[0]?.end()
  expect(await Promise.all(results)).toEqual(['abc', 'abc'])
})

test('a caller never joins a run that has begun, and waits for the next one', async () => {
  const { runs, work } = createWork()
  const share = shareRuns(work, { runs: 2, itemsPerRun: 5 })
  const results: Promise<string>[] = []
  for (const item of ['a', 'b', 'c', 'd']) {
    results.push(share([item]))
    await tick()
  }
  expect(runs.map(({ items }) => items)).toEqual([['a'], ['b']])
  runs[1]?.end()
  await results[1]
  expect(runs.map(({ items }) => items)).toEqual([['a'], ['b'], ['c', 'd']])
  runs[2]?.end()
  runs[0]?.end()
  expect(await Promise.all(results)).toEqual(['a', 'b', 'cd', 'cd'])
})

test('a run has a limited number of items, unless one caller has more', async () => {
  const { runs, work } = createWork()
  const share = shareRuns(work, { runs: 9, itemsPerRun: 2 })
  const results = [share(['a']), share(['b']), share(['c']), share(['d', 'e', 'f'])]
  await tick()
  expect(runs.map(({ items }) => items)).toEqual([['a', 'b'], ['c'], ['d', 'e', 'f']])
  for (const { end } of runs) end()
  await Promise.all(results)
})

test('if a shared run fails, each caller gets the result of its own', async () => {
  const share = shareRuns(
    async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('a bad item')
      return items.join('')
    },
    { runs: 1, itemsPerRun: 5 },
  )
  const results = await Promise.allSettled([share(['a']), share(['bad']), share(['c'])])
  expect(results).toMatchObject([{ value: 'a' }, { reason: new Error('a bad item') }, { value: 'c' }])
  expect(await share(['d'])).toBe('d')
})

test('what is unavailable to a shared run is not tried again for each caller', async () => {
  let calls = 0
  const share = shareRuns(
    async () => {
      calls++
      throw new UnavailableError('away')
    },
    { runs: 1, itemsPerRun: 5 },
  )
  const results = await Promise.allSettled([share(['a']), share(['b'])])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(calls).toBe(1)
})
