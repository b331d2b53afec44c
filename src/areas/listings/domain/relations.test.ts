import { expect, test } from 'vitest'
import { parseRelations } from './relations.ts'

const parse = (attributes: object) => parseRelations({ sku: 'OWN', productAttributes: JSON.stringify(attributes) })

test('a listing declares its parent and what it contains', () => {
  const attributes = { child_parent_sku_relationship: [{ parent_sku: 'UP' }], package_contains_sku: [{ sku: 'IN' }] }
  expect(parse(attributes)).toEqual([
    { relation: 'VARIATION', parentSku: 'UP', childSku: 'OWN' },
    { relation: 'PACKAGE_HIERARCHY', parentSku: 'OWN', childSku: 'IN' },
  ])
})

test('values that cannot be a SKU declare nothing', () => {
  const values = ['', 5, null, 'X'.repeat(256)]
  expect(parse({ child_parent_sku_relationship: values.map((parent_sku) => ({ parent_sku })) })).toEqual([])
  expect(parse({ package_contains_sku: values.map((sku) => ({ sku })) })).toEqual([])
})

test('a listing that names itself declares nothing', () => {
  expect(
    parse({ child_parent_sku_relationship: [{ parent_sku: 'OWN' }], package_contains_sku: [{ sku: 'OWN' }] }),
  ).toEqual([])
})
