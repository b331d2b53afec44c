import { describe, expect, test } from 'vitest'
import { cpuMicrosecondsOf } from '../../test/support/cpu-time.ts'
import { findUnsafeValue, withoutUnsafeValues } from './unstorable-json.ts'

const UNSTORABLE = 'contains a NUL character or an unpaired surrogate'

describe('findUnsafeValue', () => {
  test.each<{ value: unknown }>([
    { value: null },
    { value: true },
    { value: 5 },
    { value: '' },
    { value: 'é😀\u2028\ufffd' },
    { value: [] },
    { value: {} },
    { value: { a: [{ b: 'text' }] } },
    { value: { constructor: 1, prototype: 2 } },
  ])('finds nothing odd in $value', ({ value }) => {
    expect(findUnsafeValue(value)).toBeUndefined()
  })

  test.each<[string, unknown, string[]]>([
    ['NUL in a text', 'a\0', []],
    ['NUL deep inside', { a: [1, { b: 'x\0y' }] }, ['a', '1', 'b']],
    ['NUL in a key', { a: { 'b\0': 1 } }, ['a', 'b\0']],
    ['the first half of a pair', ['\ud83d'], ['0']],
    ['the second half of a pair', ['ok', '\ude00x'], ['1']],
    ['surrogates in the wrong order', { a: '\ude00\ud83d' }, ['a']],
    ['half a pair in a key', { '\ud83d': 1 }, ['\ud83d']],
  ])('finds %s, and returns its path', (_what, value, path) => {
    expect(findUnsafeValue(value)).toEqual({ path, reason: UNSTORABLE })
  })

  test('finds the key __proto__ as created by JSON.parse, at any depth', () => {
    expect(findUnsafeValue(JSON.parse('{"a":[{"__proto__":{"x":1}}]}'))).toEqual({
      path: ['a', '0', '__proto__'],
      reason: 'is not allowed as a key',
    })
  })

  test('accepts __proto__ as a value', () => {
    expect(findUnsafeValue({ name: '__proto__' })).toBeUndefined()
  })
})

test('what is unsafe can be left out of a value', () => {
  const value = JSON.parse(
    '{"a":[1,{"b\\u0000":"x\\u0000y"}],"c":"\\ud83d \\ud83d\\ude00","__proto__":{"x":1},"d":null}',
  )
  expect(withoutUnsafeValues(value)).toEqual({ a: [1, { b: 'xy' }], c: ' \ud83d\ude00', d: null })
  const hidden = withoutUnsafeValues({ '__pro\0to__': 1, '__proto\ud83d__': 2, e: 3 }) as object
  expect(Object.keys(hidden)).toEqual(['e'])
})

test('a long list of texts is searched about as fast as it is parsed', () => {
  const text = JSON.stringify(Array(300_000).fill(''))
  const list: unknown = JSON.parse(text)
  const rounds = [0, 1, 2, 3, 4].map(
    () => [cpuMicrosecondsOf(() => findUnsafeValue(list)), cpuMicrosecondsOf(() => JSON.parse(text))] as const,
  )
  const [searched, parsed] = [0, 1].map((at) => Math.min(...rounds.map((round) => round[at] as number)))
  expect(searched).toBeLessThan(3 * (parsed as number))
})
