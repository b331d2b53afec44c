import { describe, expect, test } from 'vitest'
import { createQueryParser } from './query-parser.ts'

describe('the parser of queries', () => {
  test('parses keys without values, repeated keys and escapes', () => {
    const parse = createQueryParser()
    expect({ ...parse('a=1&b=x%2Cy&b=z&c&d=a+b%20c') }).toEqual({ a: '1', b: ['x,y', 'z'], c: '', d: 'a b c' })
    expect({ ...parse('') }).toEqual({})
  })

  test('returns the same frozen object for the same text', () => {
    const parse = createQueryParser()
    const query = parse('a=1&b=2&b=3') as Record<string, unknown>
    expect(parse('a=1&b=2&b=3')).toBe(query)
    expect(Object.isFrozen(query)).toBe(true)
    expect(() => {
      query.a = '2'
    }).toThrow(TypeError)
    expect({ ...parse('a=1&b=2&b=3') }).toEqual({ a: '1', b: ['2', '3'] })
  })

  test('returns frozen lists', () => {
    const parse = createQueryParser()
    expect(Object.isFrozen(parse('b=2&b=3').b)).toBe(true)
  })

  test('caches no long texts, and at most 500', () => {
    const parse = createQueryParser()
    const long = `a=${'x'.repeat(500)}`
    expect(parse(long)).not.toBe(parse(long))
    const first = parse('n=0')
    for (let count = 1; count <= 500; count++) parse(`n=${count}`)
    expect(parse('n=0')).not.toBe(first)
    expect({ ...parse('n=0') }).toEqual({ n: '0' })
  })

  test('returns objects without a prototype: __proto__ is a key like any other', () => {
    const query = createQueryParser()('__proto__=x&constructor=y')
    expect(Object.getPrototypeOf(query)).toBe(null)
    expect(Object.keys(query)).toEqual(['__proto__', 'constructor'])
  })
})
