import { describe, expect, test } from 'vitest'
import { buildOrder } from '../../../test/support/orders.ts'
import { MAX_TRANSPARENCY_CODES, type Order, type PackageItem } from './order.ts'
import { findPackageContradictions, findPackedItemContradiction } from './packages.ts'

const NOW = new Date('2026-06-01T12:00:00.000Z')
const codes = (count: number) => Array.from({ length: count }, (_, index) => `code-${index}`)

/** An order of which three pieces of one item are shipped, in these packages. */
function orderWith(packages: Record<string, PackageItem[]>[], status: Order['status'] = 'PartiallyShipped'): Order {
  const order = buildOrder(NOW, { sellerId: 'A', orderId: '900-0000000-0000001', status })
  const item = order.items[0] as Order['items'][number]
  return {
    ...order,
    items: [{ ...item, orderItemId: '1', quantity: 5, quantityShipped: 3 }],
    packages: packages.flatMap((one) =>
      Object.entries(one).map(([packageReferenceId, items]) => ({
        packageReferenceId,
        carrierCode: 'UPS',
        shippedAt: NOW.toISOString(),
        items,
      })),
    ),
  }
}

describe('the packages of an order', () => {
  const pieces = (quantity: number, orderItemId = '1') => [{ orderItemId, quantity }]

  test('may contain all pieces that are shipped, and fewer', () => {
    const { packages: _, ...without } = orderWith([])
    expect(findPackageContradictions(without)).toEqual([])
    expect(findPackageContradictions(orderWith([], 'Unshipped'))).toEqual([])
    expect(findPackageContradictions(orderWith([{ A: pieces(1), B: pieces(2) }]))).toEqual([])
  })

  test('are refused before anything is shipped', () => {
    expect(findPackageContradictions(orderWith([{ A: pieces(1) }], 'Unshipped'))).toEqual([
      { field: 'packages', reason: 'must be empty in an order that is Unshipped' },
    ])
  })

  test('are refused each with its place and reason', () => {
    const order = orderWith([{ A: pieces(2) }, { A: pieces(1) }, { B: pieces(2) }, { C: pieces(1, '9') }])
    const twice = orderWith([{ D: [...pieces(1), ...pieces(1)] }])
    expect(findPackageContradictions(order)).toEqual([
      { field: 'packages[1].packageReferenceId', reason: 'is duplicated' },
      {
        field: 'packages[2].items[0].quantity',
        reason: 'exceeds the shipped quantity that is in no package yet: 1',
      },
      { field: 'packages[3].items[0].orderItemId', reason: 'is not an item of the order' },
    ])
    expect(findPackageContradictions(twice)).toEqual([
      { field: 'packages[0].items[1].orderItemId', reason: 'is duplicated' },
    ])
  })
})

describe('the transparency codes of a package', () => {
  test('are at most one per piece', () => {
    const item = { orderItemId: '1', quantity: 2 }
    expect(findPackedItemContradiction([{ ...item, transparencyCodes: codes(2) }])).toBeUndefined()
    expect(findPackedItemContradiction([{ ...item, transparencyCodes: codes(3) }])).toEqual({
      field: '[0].transparencyCodes',
      reason: 'must be at most one per piece: 2',
    })
  })

  test('are limited for all items together', () => {
    const first = {
      orderItemId: '1',
      quantity: MAX_TRANSPARENCY_CODES,
      transparencyCodes: codes(MAX_TRANSPARENCY_CODES),
    }
    const second = { orderItemId: '2', quantity: 1 }
    expect(findPackedItemContradiction([first, second])).toBeUndefined()
    expect(findPackedItemContradiction([first, { ...second, transparencyCodes: codes(1) }])).toEqual({
      field: '[1].transparencyCodes',
      reason: `must be at most ${MAX_TRANSPARENCY_CODES} in a package`,
    })
  })
})
