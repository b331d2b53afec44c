import { beforeAll, describe, expect, test } from 'vitest'
import { item, OrdersClient } from '../../support/order-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: OrdersClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrdersClient(souk)
})

describe('an impossible change', () => {
  test.each<[string, object, object, string]>([
    [
      'from Shipped to Unshipped',
      { status: 'Shipped' },
      { status: 'Unshipped' },
      'orders[0].status cannot be Unshipped',
    ],
    ['from Canceled to Shipped', { status: 'Canceled' }, { status: 'Shipped' }, 'orders[0].status cannot be Shipped'],
    ['of the marketplace', {}, { marketplaceId: 'A1PA6795UKMFR9' }, 'orders[0].marketplaceId cannot change'],
    [
      'that delivers what is not shipped',
      {},
      { deliveredAt: '2026-06-01T00:00:00Z' },
      'orders[0].deliveredAt must be absent',
    ],
    [
      'that ships what is unshipped',
      {},
      { items: [item(1, { quantityShipped: 1 })] },
      'items[0].quantityShipped must be 0',
    ],
    [
      'that ships more than was ordered',
      {},
      { status: 'Shipped', items: [item(1, { quantityShipped: 2 })] },
      'orders[0].items[0].quantityShipped exceeds the quantity: 1',
    ],
    [
      'that makes shipped pieces unshipped',
      { status: 'PartiallyShipped', items: [item(3, { quantityShipped: 2 })] },
      { status: 'PartiallyShipped', items: [item(3, { quantityShipped: 1 })] },
      'orders[0].items[0].quantityShipped must be at least 2: they are shipped',
    ],
    [
      'that reduces a shipped order',
      { status: 'Shipped', items: [item(3)] },
      { status: 'Shipped', items: [item(1)] },
      'orders[0].items[0].quantityShipped must be at least 3: they are shipped',
    ],
    [
      'that leaves pieces of a shipped order',
      {},
      { status: 'Shipped', items: [item(2, { quantityShipped: 1 })] },
      'must be 2',
    ],
  ])('%s is refused with place and reason', async (_what, first, second, details) => {
    const order = { ...client.build({ items: [item(1)] }), ...first }
    expect((await client.putOrders(order)).statusCode).toBe(200)
    const before = await client.stored(order.orderId)
    expect(errorOf(await client.putOrders({ ...order, ...second }))).toMatchObject({
      status: 400,
      details: expect.stringContaining(details),
    })
    expect(await client.stored(order.orderId)).toEqual(before)
  })

  test('is not one that omits how many pieces are shipped: it stays the same', async () => {
    const order = {
      ...client.build(),
      status: 'PartiallyShipped',
      items: [item(3, { quantityShipped: 2 })],
    }
    await client.putOrders(order)
    expect((await client.putOrders({ ...order, items: [item(3)] })).statusCode).toBe(200)
    expect((await client.stored(order.orderId)).items).toMatchObject([{ quantityShipped: 2 }])
  })

  test('more pieces returned than shipped, in all returns together, is refused', async () => {
    const order = client.build({ items: [item(2)], status: 'Shipped' })
    await client.putOrders(order)
    const rma = (rmaId: string, quantity: number, status = 'Approved') => ({
      sellerId: client.sellerId,
      rmaId,
      orderId: order.orderId,
      requestedAt: client.ago(0),
      status,
      items: [{ orderItemId: '1', quantity, reasonCode: 'CR-DEFECTIVE' }],
    })
    const put = (...returns: object[]) =>
      souk.put('/operator/v1/returns', { headers: souk.operator, payload: { returns } })
    expect((await put(rma('STOCK-1', 1), rma('STOCK-2', 2, 'Rejected'))).statusCode).toBe(200)
    expect(errorOf(await put(rma('STOCK-3', 2)))).toMatchObject({
      status: 400,
      details: 'returns[0].items[0].quantity exceeds the shipped quantity that is not returned yet: 1.',
    })
    expect((await put(rma('STOCK-1', 2))).statusCode).toBe(200)
    expect(errorOf(await put(rma('STOCK-3', 1)))).toMatchObject({ status: 400 })
  })

  test('more than 200 packages of an order is refused, by the seller and by the operator', async () => {
    const orderId = await client.place({ status: 'PartiallyShipped', items: [item(300, { quantityShipped: 200 })] })
    const box = (number: number) => ({
      packageReferenceId: String(number),
      carrierCode: 'UPS',
      shippedAt: client.ago(0),
      items: [{ orderItemId: '1', quantity: 1 }],
    })
    const packages = Array.from({ length: 201 }, (_, index) => box(index + 1))
    const order = await client.stored(orderId)
    expect(errorOf(await client.putOrders({ ...order, packages }))).toMatchObject({
      status: 400,
      details: expect.stringContaining('orders[0].packages'),
    })
    expect((await client.putOrders({ ...order, packages: packages.slice(1) })).statusCode).toBe(200)
    const before = await client.stored(orderId)
    const another = { packageReferenceId: '1', orderItems: [{ orderItemId: '1', quantity: 1 }] }
    expect(errorOf(await client.confirm(orderId, another))).toMatchObject({
      status: 400,
      details: 'The order already has 200 packages.',
    })
    expect(await client.stored(orderId)).toEqual(before)
  })
})
