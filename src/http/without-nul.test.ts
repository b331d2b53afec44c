import { expect, test } from 'vitest'
import { requireLinearTime } from '../../test/support/linear-time.ts'
import { withoutNul } from './without-nul.ts'

test.each([
  ['/a?b=c%000', '/a?b=c0'],
  ['/a%00%00b%0', '/ab%0'],
  ['/a%0%000%%0000b', '/ab'],
  ['/a%%000%00', '/a%0'],
])('%s without NUL characters is %s', (url, without) => {
  expect(withoutNul(url)).toBe(without)
})

test('takes no longer for each character of a URL whose NUL characters are within each other', () => {
  requireLinearTime(withoutNul, (length) => '%0'.repeat(length / 3) + '0'.repeat(length / 3))
})
