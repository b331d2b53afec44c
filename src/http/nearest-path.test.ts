import { expect, test } from 'vitest'
import { findNearestPath, segmentsOf } from './nearest-path.ts'

const paths = [
  '/sellers/v1/account',
  '/reports/2021-06-30/reports',
  '/reports/2021-06-30/reports/{reportId}',
  '/reports/2021-06-30/documents/{reportDocumentId}',
  '/listings/2021-08-01/items/{sellerId}',
  '/listings/2021-08-01/items/{sellerId}/{sku}',
  '/solicitations/v1/orders/{amazonOrderId}',
  '/orders/v0/orders/{orderId}/orderItems',
]
const known = new Map(paths.map((path) => [path, segmentsOf(path)]))

test.each([
  ['/listing/2021-08-01/items/A1/SKU', '/listings/2021-08-01/items/{sellerId}/{sku}'],
  ['/reports/2020-09-04/reports', '/reports/2021-06-30/reports'],
  ['/reports/2020-09-04/reports/1', '/reports/2021-06-30/reports/{reportId}'],
  ['/reports/2021-06-30/report', '/reports/2021-06-30/reports'],
  ['/reports/2021-06-30/reports/', '/reports/2021-06-30/reports'],
  ['//sellers/v1/account', '/sellers/v1/account'],
  ['/Sellers/V1/Account', '/sellers/v1/account'],
  ['/sellers/v2/account', '/sellers/v1/account'],
  ['/solicitations/v1/orders', '/solicitations/v1/orders/{amazonOrderId}'],
  ['/orders/v0/orders/1/items', '/orders/v0/orders/{orderId}/orderItems'],
  ['/listings/2021-08-01/items', '/listings/2021-08-01/items/{sellerId}'],
])('the nearest path to %s is %s', (path, nearest) => {
  expect(findNearestPath(path, known)).toBe(nearest)
})

test.each(['/', '/nowhere', '/sellers', '/a/b/c', '/reports/x/y/z', `/${'x'.repeat(10_000)}`, '/x'.repeat(5_000)])(
  '%s has no near path',
  (path) => {
    expect(findNearestPath(path, known)).toBeUndefined()
  },
)
