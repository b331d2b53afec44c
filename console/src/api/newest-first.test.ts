import { expect, test } from 'vitest'
import { mergeNewestFirst } from './newest-first.ts'

const at = (minute: number) => ({ createdTime: `2026-01-01T00:0${minute}:00Z`, processingStatus: 'DONE' })
const minutesOf = (items: { createdTime: string }[]) => items.map(({ createdTime }) => Number(createdTime[15]))

test('a list of two groups of types is in the order of time', () => {
  const merged = mergeNewestFirst([[{ items: [at(9), at(2)] }, { items: [at(5)] }]])
  expect(minutesOf(merged)).toEqual([9, 5, 2])
})

test('an item waits until no newer one can be on a page that was not loaded', () => {
  const first = [{ items: [at(9), at(6)], nextToken: 'more' }, { items: [at(5), at(1)] }]
  expect(minutesOf(mergeNewestFirst([first]))).toEqual([9, 6])
  const second = [{ items: [at(3)] }, { items: [] }]
  expect(minutesOf(mergeNewestFirst([first, second]))).toEqual([9, 6, 5, 3, 1])
})
