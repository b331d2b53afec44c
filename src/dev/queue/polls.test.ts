import { expect, test } from 'vitest'
import { ManualClock } from '../../platform/clock/manual-clock.ts'
import { Polls } from './polls.ts'

const poll = { waitSeconds: 20, gone: new AbortController().signal }
const findNothing = async () => ({ items: [] })

test('a long poll that arrives during a pause does not wait, and one after it does', async () => {
  const clock = new ManualClock('2026-01-01T00:00:00Z')
  const polls = new Polls(clock)
  const before = polls.poll('orders', poll, findNothing)
  polls.pause()
  expect(await before).toEqual([])
  expect(await polls.poll('orders', poll, findNothing)).toEqual([])
  polls.resume()
  let isOver = false
  const after = polls.poll('orders', poll, findNothing).finally(() => {
    isOver = true
  })
  await new Promise(setImmediate)
  expect(isOver).toBe(false)
  polls.pause()
  await after
})
