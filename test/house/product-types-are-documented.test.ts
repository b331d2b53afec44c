import { expect, test } from 'vitest'
import { builtInTypes } from '../../src/marketplace/product-types/built-in/index.ts'
import { documentedRows } from './documented-rows.ts'

test('docs/product-types.md has a row for every built-in product type', () => {
  const documented = documentedRows('product-types.md')
    .map(([name]) => name)
    .filter((name) => name === name?.toUpperCase())
  expect(documented).toEqual(builtInTypes.map(({ name }) => name))
})
