import { expect, test } from 'vitest'
import type { RequestSummary } from '../../api/request-log.ts'
import { addArrived, addPage, MAX_REQUESTS, startWithPage } from './request-window.ts'

const request = (id: number, status?: number) =>
  ({ id: String(id), startedAt: new Date(id).toISOString(), status }) as RequestSummary
const idsOf = (requests: readonly RequestSummary[]) => requests.map(({ id }) => Number(id))

test('the request that ended last is first', () => {
  expect(idsOf(addArrived([request(2), request(1)], [request(3), request(4)]))).toEqual([4, 3, 2, 1])
})

test('a request that was running when the page was loaded gets its status and keeps its place', () => {
  const rows = addArrived([request(2, 200), request(1)], [request(1, 204), request(3, 200)])
  expect(rows.map(({ id, status }) => [id, status])).toEqual([
    ['3', 200],
    ['2', 200],
    ['1', 204],
  ])
})

test('only the last requests are kept', () => {
  const many = Array.from({ length: MAX_REQUESTS }, (_, index) => request(index))
  const rows = addArrived(addArrived([], many), [request(MAX_REQUESTS)])
  expect(rows).toHaveLength(MAX_REQUESTS)
  expect(rows[0]?.id).toBe(String(MAX_REQUESTS))
  expect(rows.at(-1)?.id).toBe('1')
})

test('a page that is loaded after a lost connection fills the gap', () => {
  expect(idsOf(addPage([request(5), request(1)], [request(4), request(3), request(1)]))).toEqual([5, 4, 3, 1])
})

test('the newest page replaces what has gaps, except what arrived after it', () => {
  const known = [request(9), request(7), request(2), request(1)]
  expect(idsOf(startWithPage(known, [request(8), request(7), request(6)], true))).toEqual([9, 8, 7, 6])
})

test('requests that the log no longer has stay', () => {
  expect(idsOf(startWithPage([request(2), request(1)], [request(3), request(2)], false))).toEqual([3, 2, 1])
})
