import { describe, expect, test } from 'vitest'
import type { FieldSchema } from './definition.ts'
import { createNormalizer } from './normalization.ts'

const entries = (properties: Record<string, FieldSchema>): FieldSchema => ({
  type: 'array',
  items: { type: 'object', properties },
})
const normalize = createNormalizer(
  entries({
    price: { type: 'number' },
    count: { type: 'integer' },
    name: { type: 'string' },
    list: entries({ size: { type: 'number' } }),
  }),
) as (value: unknown) => unknown

describe('numeric text', () => {
  test.each([
    ['19.90', 19.9],
    ['0', 0],
    ['-5', -5],
    ['007', 7],
    ['123456789012345', 123456789012345],
  ])('%s becomes a number if the schema requires one', (text, number) => {
    expect(normalize([{ price: text, count: text, list: [{ size: text }] }])).toEqual([
      { price: number, count: number, list: [{ size: number }] },
    ])
  })

  test.each(['', ' 5', '1,50', '1e9', '0x10', 'Infinity', '1.', '.5', '1234567890123456', 'five'])(
    '%j stays text, to be refused as such',
    (text) => {
      expect(normalize([{ price: text }])).toEqual([{ price: text }])
    },
  )

  test('stays text if the schema requires text', () => {
    expect(normalize([{ name: '42' }])).toEqual([{ name: '42' }])
  })
})

test('the input is not modified', () => {
  const given = [{ price: '1', list: [{ size: '2' }] }]
  const before = structuredClone(given)
  normalize(given)
  expect(given).toEqual(before)
})

test('values of another type than in the schema are not changed', () => {
  for (const odd of [null, 'text', 5, {}, [null], [[]], [{ list: 'text' }], [{ list: null, price: null }]]) {
    expect(normalize(odd)).toEqual(odd)
  }
})

test('returns undefined for a schema without numbers', () => {
  expect(createNormalizer(entries({ name: { type: 'string' } }))).toBeUndefined()
  expect(createNormalizer(entries({ either: { type: ['string', 'number'] } }))).toBeUndefined()
})
