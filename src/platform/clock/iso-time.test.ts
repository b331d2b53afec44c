import { expect, test } from 'vitest'
import { toIsoTime } from './iso-time.ts'

test('a time is written as Date writes it, whichever was written before', () => {
  const times = [0, 0, 1, 1_780_000_000_000, 1_780_000_000_001, 0, -1, 253_402_300_799_999]
  for (const time of times) expect(toIsoTime(new Date(time))).toBe(new Date(time).toISOString())
})

test('an invalid date is refused each time, and does not spoil the next one', () => {
  const invalid = new Date(Number.NaN)
  expect(() => toIsoTime(invalid)).toThrow(RangeError)
  expect(() => toIsoTime(invalid)).toThrow(RangeError)
  expect(toIsoTime(new Date(5))).toBe('1970-01-01T00:00:00.005Z')
})
