import { expect, test } from 'vitest'
import { parseIdentifiers } from './products.ts'

const eans = (count: number) => Array.from({ length: count }, (_, index) => ({ type: 'ean', value: String(index) }))

test('identifiers that are not valid yet are ignored', () => {
  const entries = [
    null,
    'ean',
    { type: 'asin', value: '1' },
    { type: 'EAN' },
    { type: ['ean'], value: '1' },
    // It has no primitive value.
    { type: { toString: 0 }, value: '1' },
    { type: 'ean', value: '1'.repeat(101) },
    { type: 'upc', value: '2' },
  ]
  expect(parseIdentifiers('US', entries)).toEqual([{ marketplaceId: 'US', type: 'UPC', value: '2' }])
  expect(parseIdentifiers('US', { type: 'ean', value: '1' })).toEqual([])
})

test('a listing is matched by a few identifiers, however many its attribute has', () => {
  expect(parseIdentifiers('US', eans(5))).toHaveLength(5)
  expect(parseIdentifiers('US', eans(20_000))).toHaveLength(25)
})
