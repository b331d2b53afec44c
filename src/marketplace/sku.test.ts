import { expect, test } from 'vitest'
import { createSchemaCheck } from '../platform/schema-check.ts'
import { Sku } from './schema.ts'
import { isSku } from './sku.ts'

const isValid = createSchemaCheck(Sku)

test.each([
  ['one character', 'x', true],
  ['255 characters', 'x'.repeat(255), true],
  ['255 characters of two units each', '\u{1F45F}'.repeat(255), true],
  ['no characters', '', false],
  ['256 characters', 'x'.repeat(256), false],
  ['256 characters of two units each', '\u{1F45F}'.repeat(256), false],
  ['a number', 5, false],
])('feeds, attributes and paths agree on a SKU of %s', (_, value, expected) => {
  expect(isSku(value)).toBe(expected)
  expect(isValid(value)).toBe(expected)
})
