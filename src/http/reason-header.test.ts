import { validateHeaderValue } from 'node:http'
import { expect, test } from 'vitest'
import { encodeReason } from './reason-header.ts'

test('an ASCII reason is sent unchanged', () => {
  const reason = 'patches[0].op must be one of add, replace, merge, delete; "x" & \'y\' <z> are not.'
  expect(encodeReason(reason)).toBe(reason)
})

test.each(['a\r\nset-cookie: x=1', '100% \\ é', '😀 \u202eabc', 'a\u0301\u0000\u007f', 'tab\tend'])(
  'the reason %o becomes a safe header value that decodes to the same text',
  (reason) => {
    const value = encodeReason(reason)
    expect(() => validateHeaderValue('x-souk-reason', value)).not.toThrow()
    expect(value).toMatch(/^[ -~]*$/)
    expect(decodeURIComponent(value)).toBe(reason)
  },
)

test('half a surrogate pair becomes a replacement character', () => {
  expect(decodeURIComponent(encodeReason('a\ud800b'))).toBe('a\ufffdb')
})

test('a long reason is truncated to 1,000 characters, never within a character', () => {
  for (const reason of ['x'.repeat(100_000), '😀'.repeat(100_000)]) {
    const value = encodeReason(reason)
    expect(value.length).toBeLessThanOrEqual(1000)
    expect(value.endsWith('...')).toBe(true)
    expect(() => decodeURIComponent(value)).not.toThrow()
  }
})
