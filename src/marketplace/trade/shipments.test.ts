import { expect, test } from 'vitest'
import { buildOrder } from '../../../test/support/orders.ts'
import type { Order, Package } from './order.ts'
import { shipPackage } from './shipments.ts'

const NOW = new Date('2026-06-01T12:00:00.000Z')

test('the nearest quantity of a package that is edited includes the pieces that it has', () => {
  const built = buildOrder(NOW, { sellerId: 'A', orderId: '900-0000000-0000001', status: 'PartiallyShipped' })
  const item = built.items[0] as Order['items'][number]
  const order: Order = {
    ...built,
    purchasedAt: NOW.toISOString(),
    items: [{ ...item, orderItemId: '1', quantity: 5, quantityShipped: 3 }],
  }
  const packed = (quantity: number): Package => ({
    packageReferenceId: '1',
    carrierCode: 'UPS',
    shippedAt: NOW.toISOString(),
    items: [{ orderItemId: '1', quantity }],
  })
  const known = [packed(3)]
  expect(shipPackage(order, known, packed(7), NOW)).toMatchObject({ item: 0, nearest: { quantity: 5 } })
  expect(shipPackage(order, known, packed(5), NOW)).toMatchObject({ order: { status: 'Shipped' } })
})
