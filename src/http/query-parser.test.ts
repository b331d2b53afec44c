import { describe, expect, test } from 'vitest'
import { createQueryParser } from './query-parser.ts'

describe('the parser of queries', () => {
  test('takes a query apart: a key alone, a key repeated, and what is escaped', () => {
    const parse = createQueryParser()
    expect({ ...parse('a=1&b=x%2Cy&b=z&c&d=a+b%20c') }).toEqual({ a: '1', b: ['x,y', 'z'], c: '', d: 'a b c' })
    expect({ ...parse('') }).toEqual({})
  })

  test('gives the same object for the same text, which nobody can change', () => {
    const parse = createQueryParser()
    const query = parse('a=1&b=2&b=3') as Record<string, unknown>
    expect(parse('a=1&b=2&b=3')).toBe(query)
    expect(Object.isFrozen(query)).toBe(true)
    expect(() => {
      query.a = '2'
    }).toThrow(TypeError)
    expect({ ...parse('a=1&b=2&b=3') }).toEqual({ a: '1', b: ['2', '3'] })
  })

  test('gives a list that nobody can change either', () => {
    const parse = createQueryParser()
    expect(Object.isFrozen(parse('b=2&b=3').b)).toBe(true)
  })

  test('keeps no long texts, and no more than 500', () => {
    const parse = createQueryParser()
    const long = `a=${'x'.repeat(500)}`
    expect(parse(long)).not.toBe(parse(long))
    const first = parse('n=0')
    for (let count = 1; count <= 500; count++) parse(`n=${count}`)
    expect(parse('n=0')).not.toBe(first)
    expect({ ...parse('n=0') }).toEqual({ n: '0' })
  })

  test('gives no object that has a past: __proto__ is a key like any other', () => {
    const query = createQueryParser()('__proto__=x&constructor=y')
    expect(Object.getPrototypeOf(query)).toBe(null)
    expect(Object.keys(query)).toEqual(['__proto__', 'constructor'])
  })
})
