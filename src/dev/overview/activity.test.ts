import { expect, test } from 'vitest'
import { Activity } from './activity.ts'

const MINUTE = 60_000
const START = Date.parse('2026-06-01T12:00:00Z')

test('requests are counted by minute, and refusals and failures among them', () => {
  let now = START + 10_000
  const activity = new Activity(() => now)
  for (const status of [200, 302, 400, 429, 503]) activity.count(status)
  now = START + MINUTE
  activity.count(200)

  const minutes = activity.list()
  expect(minutes).toHaveLength(60)
  expect(minutes.slice(-2)).toEqual([
    { time: START, requests: 5, refused: 2, failed: 1 },
    { time: START + MINUTE, requests: 1, refused: 0, failed: 0 },
  ])
})

test('a minute is forgotten after an hour, also if no request came since', () => {
  let now = START
  const activity = new Activity(() => now)
  activity.count(200)
  now = START + 59 * MINUTE
  expect(activity.list()[0]).toMatchObject({ time: START, requests: 1 })
  now = START + 60 * MINUTE
  expect(activity.list().some(({ requests }) => requests > 0)).toBe(false)
  activity.count(200)
  expect(activity.list().at(-1)).toMatchObject({ time: now, requests: 1 })
})
