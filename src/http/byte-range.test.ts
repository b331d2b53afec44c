import { expect, test } from 'vitest'
import { parseRange } from './byte-range.ts'

test.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-5', { first: 2, last: 5 }],
  ['bytes=2-', { first: 2, last: 9 }],
  ['bytes=2-99', { first: 2, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
])('%s selects a part of ten bytes', (header, range) => {
  expect(parseRange(header, 10)).toEqual(range)
})

test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
  '%s is outside of ten bytes',
  (header) => {
    expect(parseRange(header, 10)).toBe('outside')
  },
)

test.each(['bytes=-', 'bytes=5-2', 'bytes=0-1,3-4', 'bytes=a-b', 'bytes 0-1', 'lines=0-1', ''])(
  '%j is ignored',
  (header) => {
    expect(parseRange(header, 10)).toBeUndefined()
  },
)

test('every range is outside of an empty document', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) expect(parseRange(header, 0)).toBe('outside')
})
