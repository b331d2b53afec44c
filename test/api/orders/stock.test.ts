import { beforeAll, describe, expect, test } from 'vitest'
import { listingsClient, newShoe, setQuantity } from '../../support/listings.ts'
import {
  busEvents,
  eventBridge,
  type Notification,
  notificationsClient,
  receive,
  sqs,
} from '../../support/notifications.ts'
import { item, OrdersClient, SKU } from '../../support/order-client.ts'
import { acknowledgement, allGood, OrderFeedsClient } from '../../support/order-feeds.ts'
import { US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: OrdersClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrdersClient(souk)
})

const put = async (...orders: object[]) => expect((await client.putOrders(...orders)).statusCode).toBe(200)

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

  test('that the marketplace ships takes and returns nothing of what the seller holds', async () => {
    await setStock(5)
    const order = sale(2, { fulfillmentChannel: 'AFN' })
    await put(order)
    expect(await client.stock()).toBe(5)
    await put({ ...order, status: 'Canceled' })
    expect(await client.stock()).toBe(5)
  })
})

describe('a cancellation gives back what was taken', () => {
  const NEW_SKU = 'STOCK-BOOT'
  const listings = async () => listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
  const offer = (channel: string, quantity?: number) => [
    { fulfillment_channel_code: channel, ...(quantity !== undefined && { quantity }) },
  ]
  async function list(fulfillment_availability: object[]) {
    souk.clock.advance(1000)
    const attributes = newShoe({ fulfillment_availability: fulfillment_availability as never })
    expect((await (await listings()).put(NEW_SKU, attributes)).json()).toMatchObject({ status: 'ACCEPTED' })
    await souk.idle()
  }
  const boots = (quantity: number) => sale(quantity, { items: [item(quantity, { sku: NEW_SKU })] })

  test('and nothing to a listing that was deleted and created again', async () => {
    await list(offer('DEFAULT', 10))
    const [before, after] = [boots(3), boots(2)]
    await put(before)
    expect(await client.stock(NEW_SKU)).toBe(7)
    await (await listings()).delete(NEW_SKU)
    await souk.idle()
    await list(offer('DEFAULT', 20))
    await put(after)
    await put({ ...before, status: 'Canceled' })
    expect(await client.stock(NEW_SKU)).toBe(18)
    await put({ ...after, status: 'Canceled' })
    expect(await client.stock(NEW_SKU)).toBe(20)
  })

  test('and nothing to a listing whose pieces the marketplace held at the time of the sale', async () => {
    await list(offer('AMAZON_NA'))
    const order = boots(3)
    await put(order)
    await list(offer('DEFAULT', 10))
    await put({ ...order, items: [item(5, { sku: NEW_SKU })] })
    expect(await client.stock(NEW_SKU)).toBe(8)
    await put({ ...order, items: [item(5, { sku: NEW_SKU })], status: 'Canceled' })
    expect(await client.stock(NEW_SKU)).toBe(10)
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
