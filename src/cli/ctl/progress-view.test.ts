import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ManualClock } from '../../platform/clock/manual-clock.ts'
import { createIdleNotice } from './progress-view.ts'

test('that no work is under way is printed a second after the response, not while it is waited for', async () => {
  const clock = new ManualClock('2026-01-01T00:00:00Z')
  const printed: string[] = []
  const notice = createIdleNotice({ err: (text) => printed.push(text) }, clock)
  clock.advance(60_000)
  await setImmediate()
  expect(printed).toEqual([])
  notice.start()
  clock.advance(1_000)
  await setImmediate()
  expect(printed).toEqual(['souk: No long work is under way.'])
})
