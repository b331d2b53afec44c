import { beforeAll, describe, expect, test } from 'vitest'
import { listingsClient, setQuantity } from '../../support/listings.ts'
import {
  busEvents,
  eventBridge,
  type Notification,
  notificationsClient,
  receive,
  sqs,
} from '../../support/notifications.ts'
import { OrdersClient, SKU } from '../../support/order-client.ts'
import { acknowledgement, allGood, OrderFeedsClient } from '../../support/order-feeds.ts'
import { US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: OrdersClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrdersClient(souk)
})

const item = (quantity: number, overrides: object = {}) => ({
  orderItemId: '1',
  sku: SKU,
  asin: 'B0SOUK0001',
  title: 'Shoe',
  quantity,
  priceMinor: 8990,
  ...overrides,
})

/** An order that a buyer places now. */
const sale = (quantity: number, overrides: object = {}) => {
  const { takesStock: _, ...order } = client.build({ items: [item(quantity)] })
  return { ...order, ...overrides }
}

async function setStock(quantity: number) {
  const listings = listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
  expect((await listings.patch(SKU, [setQuantity(quantity)])).statusCode).toBe(200)
  await souk.idle()
  expect(await client.stock()).toBe(quantity)
}

const offered = async () => {
  const offers = (
    await souk.get(`/operator/v1/offers?marketplaceId=${US}&asin=B0SOUK0001`, { headers: souk.operator })
  ).json()
  return offers.offers.find(
    (offer: { sku: string; sellerId: string }) => offer.sku === SKU && offer.sellerId === client.sellerId,
  )
}

describe('a sale', () => {
  test('takes its pieces from the listing and the offer, and a cancellation gives them back', async () => {
    await setStock(10)
    const order = sale(3)
    expect((await client.putOrders(order)).statusCode).toBe(200)
    expect(await client.stock()).toBe(7)
    expect(await offered()).toMatchObject({ quantity: 7 })
    expect((await client.putOrders(order)).statusCode).toBe(200)
    expect(await client.stock()).toBe(7)
    expect((await client.putOrders({ ...order, items: [item(1)] })).statusCode).toBe(200)
    expect(await client.stock()).toBe(9)
    expect((await client.putOrders({ ...order, items: [item(1)], status: 'Canceled' })).statusCode).toBe(200)
    expect(await client.stock()).toBe(10)
    expect((await client.putOrders({ ...order, items: [item(1)], status: 'Canceled' })).statusCode).toBe(200)
    expect(await client.stock()).toBe(10)
  })

  test('of the last piece ends the offer, and a cancellation by feed brings it back', async () => {
    await setStock(2)
    const order = sale(2)
    await client.putOrders(order)
    expect(await client.stock()).toBe(0)
    expect(await offered()).toBeUndefined()
    const feeds = new OrderFeedsClient(souk)
    const failure = acknowledgement(order.orderId, '<StatusCode>Failure</StatusCode>')
    expect(await feeds.acknowledge(failure)).toEqual(allGood(1))
    expect(await client.stock()).toBe(2)
    expect(await offered()).toMatchObject({ quantity: 2 })
  })

  test('is published: ORDER_CHANGE, the quantity, and ANY_OFFER_CHANGED when sold out', async () => {
    await setStock(2)
    // A subscription gets what happens after it.
    souk.clock.advance(1000)
    const notifications = notificationsClient(souk)
    const queue = await notifications.destination(sqs('sales'))
    const bus = await notifications.destination(eventBridge())
    await notifications.subscription('ORDER_CHANGE', queue)
    await notifications.subscription('ANY_OFFER_CHANGED', queue)
    await notifications.subscription('LISTINGS_ITEM_MFN_QUANTITY_CHANGE', bus)
    const arrived = async (order: object) => {
      const before = (await busEvents(souk)).length
      expect((await client.putOrders(order)).statusCode).toBe(200)
      await souk.idle()
      const onBus = (await busEvents(souk)).slice(before).map(({ detail }) => detail)
      return [...(await receive(souk.queueUrl, 'sales')), ...onBus]
    }
    const types = (sent: Notification[]) => sent.map((one) => String(one.NotificationType)).sort()
    const first = await arrived(sale(1))
    expect(types(first)).toEqual(['LISTINGS_ITEM_MFN_QUANTITY_CHANGE', 'ORDER_CHANGE'])
    expect(first.find(({ NotificationType }) => String(NotificationType).startsWith('LISTINGS'))).toMatchObject({
      Payload: { Sku: SKU, Quantity: 1 },
    })
    expect(types(await arrived(sale(1)))).toEqual([
      'ANY_OFFER_CHANGED',
      'LISTINGS_ITEM_MFN_QUANTITY_CHANGE',
      'ORDER_CHANGE',
    ])
  })

  test('of the last piece succeeds for one of several buyers at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      await setStock(1)
      const answers = await Promise.all([sale(1), sale(1), sale(1)].map((order) => client.putOrders(order)))
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400])
      expect(await client.stock()).toBe(0)
    }
  })

  test('of a batch sees the orders before it, and what the batch cancels', async () => {
    await setStock(5)
    const [first, second] = [sale(3), sale(3)]
    expect(errorOf(await client.putOrders(first, second))).toMatchObject({
      status: 400,
      details: 'orders[1].items[0].quantity exceeds the stock of the listing: 2 left.',
    })
    expect(await client.stock()).toBe(5)
    await client.putOrders(first)
    expect((await client.putOrders(second, { ...first, status: 'Canceled' })).statusCode).toBe(200)
    expect(await client.stock()).toBe(2)
  })

  test.each<[string, object, string]>([
    ['an unknown SKU', { items: [item(1, { sku: 'NOBODY-SELLS-THIS' })] }, 'orders[0].items[0].sku is not a listing'],
    ['a SKU that was never listed', { items: [item(1, { sku: 'SOUK-GHOST-001' })] }, 'orders[0].items[0].sku is not'],
    ['more than the stock', { items: [item(1_000)] }, 'orders[0].items[0].quantity exceeds the stock of the listing'],
  ])('of %s is refused, and nothing is written', async (_what, overrides, details) => {
    const order = sale(1, overrides)
    const stock = await client.stock()
    expect(errorOf(await client.putOrders(order))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      details: expect.stringContaining(details),
    })
    const path = `/operator/v1/orders/${client.sellerId}/${order.orderId}`
    expect((await souk.get(path, { headers: souk.operator })).statusCode).toBe(404)
    expect(await client.stock()).toBe(stock)
  })

  test('of a product that the marketplace holds has no stock of the seller', async () => {
    const order = sale(1, { fulfillmentChannel: 'AFN', items: [item(1, { sku: `${SKU}-FBA` })] })
    expect((await client.putOrders(order)).statusCode).toBe(200)
  })
})

describe('an order of the past', () => {
  test.each(['Shipped', 'Canceled'])('that is %s takes and returns no stock, and needs no listing', async (status) => {
    const stock = await client.stock()
    await client.putOrders(sale(1, { status }))
    await client.putOrders(sale(1, { status, items: [item(1, { sku: 'GONE' })] }))
    expect(await client.stock()).toBe(stock)
  })

  test('takes stock if the operator says so, and an open one takes none if the operator says so', async () => {
    await setStock(5)
    await client.putOrders(sale(1, { status: 'Shipped', takesStock: true }))
    expect(await client.stock()).toBe(4)
    const open = sale(1, { takesStock: false })
    await client.putOrders(open)
    await client.putOrders({ ...open, status: 'Canceled' })
    expect(await client.stock()).toBe(4)
  })
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
    const order = { ...sale(1), takesStock: false, ...first }
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
      ...sale(1),
      takesStock: false,
      status: 'PartiallyShipped',
      items: [item(3, { quantityShipped: 2 })],
    }
    await client.putOrders(order)
    expect((await client.putOrders({ ...order, items: [item(3)] })).statusCode).toBe(200)
    expect((await client.stored(order.orderId)).items).toMatchObject([{ quantityShipped: 2 }])
  })

  test('more pieces returned than shipped, in all returns together, is refused', async () => {
    const order = { ...sale(2), takesStock: false, status: 'Shipped' }
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
})
