import { expect, test } from 'vitest'
import { ManualClock } from '../../../platform/clock/manual-clock.ts'
import { Batch } from './batch.ts'

test('all changes of a batch happen at the time of the first', () => {
  const clock = new ManualClock(new Date('2026-06-01T12:00:00Z'))
  const batch = new Batch([])
  const first = batch.changedAt(clock)
  clock.advance(1)
  expect(batch.changedAt(clock)).toBe(first)
  expect(new Batch([]).changedAt(clock)).not.toEqual(first)
})
