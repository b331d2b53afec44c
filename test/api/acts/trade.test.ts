import { beforeAll, describe, expect, test } from 'vitest'
import { ActError } from '../../../src/index.ts'
import { listingsClient, setAttribute, setPrice, setQuantity } from '../../support/listings.ts'
import { notificationsClient, receive } from '../../support/notifications.ts'
import { OrdersClient, SKU } from '../../support/order-client.ts'
import { ReportsClient } from '../../support/reports.ts'
import { DAY, US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: OrdersClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrdersClient(souk)
})

const act = (name: string, payload: object) => souk.post(`/_souk/acts/${name}`, { payload })
const operatorAct = (name: string, payload: object, headers: object = souk.operator) =>
  souk.post(`/operator/v1/acts/${name}`, { headers: { ...headers }, payload })

async function setStock(quantity: number) {
  const listings = listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
  expect((await listings.patch(SKU, [setQuantity(quantity)])).statusCode).toBe(200)
  await souk.idle()
}

/** An order of three pieces that the seller has shipped. */
async function shipped() {
  await setStock(10)
  const order = await souk.buyer.order({ sku: SKU, quantity: 3 })
  const [item] = order.items
  souk.clock.advance(DAY)
  const orderItems = [{ orderItemId: item?.orderItemId, quantity: 3 }]
  expect((await client.confirm(order.orderId, { orderItems })).statusCode).toBe(204)
  return { ...order, orderItemId: item?.orderItemId as string }
}

describe('a buyer who orders', () => {
  test('needs to say the SKU only: the seller gets a complete order, and the pieces leave the stock', async () => {
    await setStock(5)
    const placed = await souk.buyer.order({ sku: SKU })
    expect(placed).toMatchObject({ sellerId: souk.demo.sellerId, marketplaceId: US, status: 'Unshipped' })
    expect(await client.order(placed.orderId)).toMatchObject({
      OrderStatus: 'Unshipped',
      FulfillmentChannel: 'MFN',
      OrderTotal: { CurrencyCode: 'USD', Amount: '89.90' },
      PurchaseDate: souk.clock.now().toISOString(),
      LatestShipDate: expect.any(String),
    })
    expect(await client.stored(placed.orderId)).toEqual(placed)
    expect(await client.stock()).toBe(4)
  })

  test('can say everything else, too', async () => {
    await setStock(5)
    const response = await act('buyer/order', {
      sellerId: souk.demo.sellerId,
      marketplaceId: US,
      orderId: '950-0000000-0000001',
      items: [{ sku: SKU, quantity: 2 }, { sku: 'SOUK-SHOE-002' }],
      status: 'Pending',
      buyer: { name: 'Ada' },
      shipTo: { city: 'Salem', countryCode: 'US' },
      isPrime: true,
    })
    expect(response.json()).toMatchObject({
      orderId: '950-0000000-0000001',
      status: 'Pending',
      isPrime: true,
      buyer: { name: 'Ada', email: expect.stringContaining('@') },
      shipTo: { city: 'Salem', postalCode: null },
      items: [
        { sku: SKU, quantity: 2 },
        { sku: 'SOUK-SHOE-002', quantity: 1 },
      ],
    })
  })

  test('is notified to the seller as any other order', async () => {
    await setStock(5)
    souk.clock.advance(1000)
    const { listen } = notificationsClient(souk)
    await listen('acts', 'ORDER_CHANGE')
    const placed = await souk.buyer.order({ sku: SKU, quantity: 2 })
    await souk.buyer.cancel(placed)
    await souk.idle()
    const received = await receive(souk.queueUrl, 'acts')
    expect(received).toMatchObject([
      {
        Payload: { OrderChangeNotification: { AmazonOrderId: placed.orderId, Summary: { OrderStatus: 'Unshipped' } } },
      },
      { Payload: { OrderChangeNotification: { AmazonOrderId: placed.orderId, Summary: { OrderStatus: 'Canceled' } } } },
    ])
  })

  test('gets the last piece if another buyer wants it at the same time, or is refused', async () => {
    for (let round = 0; round < 3; round++) {
      await setStock(1)
      const buyers = await Promise.allSettled([1, 2, 3].map(() => souk.buyer.order({ sku: SKU })))
      expect(buyers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
      const { reason } = buyers.find(({ status }) => status === 'rejected') as PromiseRejectedResult
      expect(reason).toBeInstanceOf(ActError)
      expect(reason).toMatchObject({ status: 400, message: 'quantity exceeds the stock of the listing: 0 left.' })
      expect(await client.stock()).toBe(0)
    }
  })

  test.each<[string, object, string]>([
    ['nothing', {}, 'sku is required.'],
    ['an unknown SKU', { sku: 'NONE' }, 'sku is not a listing of the seller.'],
    ['a SKU of another seller', { sku: 'SOUK-STALL-001' }, 'sku is not a listing of the seller.'],
    [
      'an unknown SKU in a list',
      { items: [{ sku: SKU }, { sku: 'NONE' }] },
      'items[1].sku is not a listing of the seller.',
    ],
    [
      'a SKU of another marketplace',
      { sku: SKU, marketplaceId: 'A2EUQ1WTGCTBG2' },
      'sku is not a listing of the seller in the marketplace.',
    ],
    ['too much', { sku: SKU, quantity: 1000 }, 'quantity exceeds the stock of the listing: 5 left.'],
    [
      'too much in a list',
      { items: [{ sku: SKU, quantity: 1000 }] },
      'items[0].quantity exceeds the stock of the listing: 5 left.',
    ],
    ['of an unknown seller', { sku: SKU, sellerId: 'NOBODY' }, 'sellerId does not exist.'],
    ['what has issues', { sku: 'SOUK-SHOES-202-LIKE-NEW' }, 'sku cannot be bought: the listing has issues.'],
    [
      'from two warehouses',
      { items: [{ sku: 'SOUK-SHOE-001-FBA' }, { sku: SKU }] },
      'items[1].sku is not fulfilled as the first item is: AFN. Order it separately.',
    ],
    ['in two ways', { sku: SKU, items: [{ sku: SKU }] }, 'items cannot be combined with sku and quantity.'],
    ['half a piece', { sku: SKU, quantity: 0.5 }, 'quantity must be an integer.'],
    ['with an unknown key', { sku: SKU, color: 'red' }, 'color is not allowed.'],
  ])('%s is refused, and nothing is written', async (_what, payload, details) => {
    await setStock(5)
    const orders = async () =>
      (await souk.get(`/operator/v1/orders?pageSize=1000`, { headers: souk.operator })).json().orders.length
    const before = await orders()
    expect(errorOf(await act('buyer/order', payload))).toMatchObject({ status: 400, code: 'InvalidInput', details })
    expect(await orders()).toBe(before)
    expect(await client.stock()).toBe(5)
  })

  test('what is sold out and could not be bought anyway is refused for its issues', async () => {
    await setStock(0)
    expect(errorOf(await act('buyer/order', { sku: SKU })).details).toMatch(/^quantity exceeds the stock/)
    const listings = listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
    await listings.patch(SKU, [setAttribute('skip_offer', { value: true })])
    await souk.idle()
    expect(errorOf(await act('buyer/order', { sku: SKU })).details).toBe(
      'sku cannot be bought: the listing has issues.',
    )
    await listings.patch(SKU, [setAttribute('skip_offer', { value: false })])
    await souk.idle()
  })

  test('for more money than can be counted exactly is refused', async () => {
    const listings = listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
    const sku = 'SOUK-SHOE-001-FBA'
    await listings.patch(sku, [setPrice(999_999_999)])
    await souk.idle()
    expect(errorOf(await act('buyer/order', { sku, quantity: 1_000_000 }))).toMatchObject({
      status: 400,
      details: 'quantity makes the order too expensive.',
    })
    await listings.patch(sku, [setPrice(93.5)])
    await souk.idle()
  })

  test('with an id that exists is refused with 409', async () => {
    await setStock(5)
    const orderId = '950-0000000-0000009'
    expect((await act('buyer/order', { sku: SKU, orderId })).statusCode).toBe(200)
    expect(errorOf(await act('buyer/order', { sku: SKU, orderId }))).toMatchObject({ status: 409, code: 'Conflict' })
    expect(await client.stock()).toBe(4)
  })
})

describe('a buyer who cancels', () => {
  test('gets an order canceled that is not shipped, and the pieces go back', async () => {
    await setStock(5)
    const { orderId } = await souk.buyer.order({ sku: SKU, quantity: 2 })
    expect(await souk.buyer.cancel(orderId, { reason: 'Too late' })).toMatchObject({
      status: 'Canceled',
      cancellation: { by: 'BUYER', reason: 'Too late' },
    })
    expect((await client.order(orderId)).OrderStatus).toBe('Canceled')
    expect(await client.stock()).toBe(5)
  })

  test('can leave it to the seller', async () => {
    await setStock(5)
    const { orderId } = await souk.buyer.order({ sku: SKU })
    await souk.buyer.cancel(orderId, { isRequest: true, reason: 'Wrong size' })
    expect((await client.order(orderId)).OrderStatus).toBe('Unshipped')
    const { payload } = await client.body(`/orders/v0/orders/${orderId}/orderItems`)
    expect(payload.OrderItems[0].BuyerRequestedCancel).toEqual({
      IsBuyerRequestedCancel: 'true',
      BuyerCancelReason: 'Wrong size',
    })
    expect(await client.stock()).toBe(4)
  })

  test('cannot cancel a shipped, canceled or unknown order', async () => {
    const { orderId } = await shipped()
    const refused = async (id: string) => errorOf(await act('buyer/cancel', { orderId: id }))
    expect(await refused(orderId)).toMatchObject({
      status: 400,
      details: 'orderId cannot be canceled: the order is Shipped.',
    })
    const open = await souk.buyer.order({ sku: SKU })
    await souk.buyer.cancel(open)
    expect((await refused(open.orderId)).details).toBe('orderId cannot be canceled: the order is Canceled.')
    expect((await refused('999-0000000-0000000')).details).toBe('orderId does not exist.')
  })
})

describe('a carrier', () => {
  test('delivers what the seller has shipped', async () => {
    const { orderId } = await shipped()
    await souk.carrier.deliver(orderId)
    expect(await client.stored(orderId)).toMatchObject({
      status: 'Shipped',
      deliveredAt: souk.clock.now().toISOString(),
    })
    expect(errorOf(await act('carrier/deliver', { orderId })).details).toMatch(/^orderId was delivered at 2026-/)
  })

  test('cannot deliver what is not shipped, or tomorrow', async () => {
    await setStock(5)
    const { orderId } = await souk.buyer.order({ sku: SKU })
    expect(errorOf(await act('carrier/deliver', { orderId }))).toMatchObject({
      status: 400,
      details: 'orderId cannot be delivered: the order is Unshipped.',
    })
    const deliveredAt = client.ago(-DAY)
    expect(errorOf(await act('carrier/deliver', { orderId, deliveredAt })).details).toBe(
      'deliveredAt must not be in the future.',
    )
  })

  test('ships and delivers what the marketplace holds', async () => {
    const order = await souk.buyer.order({ sku: 'SOUK-SHOE-001-FBA' })
    expect(order.fulfillmentChannel).toBe('AFN')
    expect(await souk.carrier.deliver(order)).toMatchObject({ status: 'Shipped', items: [{ quantityShipped: 1 }] })
  })
})

describe('a buyer who returns', () => {
  test('returns everything that is shipped, with a refund, unless they say which pieces', async () => {
    const { orderId, orderItemId } = await shipped()
    const items = [{ orderItemId, quantity: 1 }]
    expect(await souk.buyer.return(orderId, { items, reasonCode: 'CR-DEFECTIVE' })).toMatchObject({
      status: 'Approved',
      items: [{ orderItemId, quantity: 1, reasonCode: 'CR-DEFECTIVE', refundMinor: 8990 }],
    })
    expect(await souk.buyer.return(orderId)).toMatchObject({
      items: [{ quantity: 2, reasonCode: 'CR-UNWANTED_ITEM', refundMinor: 17_980 }],
    })
    expect(errorOf(await act('buyer/return', { orderId }))).toMatchObject({
      status: 400,
      details: 'orderId has no shipped pieces that are not returned yet.',
    })
  })

  test('cannot return more than is shipped: all that is wrong is reported', async () => {
    const { orderId, orderItemId } = await shipped()
    const items = [
      { orderItemId, quantity: 4 },
      { orderItemId: '77', quantity: 1 },
    ]
    const response = await act('buyer/return', { orderId, items })
    expect(response.statusCode).toBe(400)
    expect(response.json().errors.map(({ details }: { details: string }) => details)).toEqual([
      'items[0].quantity exceeds the ordered quantity: 3.',
      'items[1].orderItemId is not an item of the order.',
    ])
    const { returns } = (await souk.get('/operator/v1/returns?pageSize=1000', { headers: souk.operator })).json()
    expect(returns.filter((one: { orderId: string }) => one.orderId === orderId)).toEqual([])
  })
})

describe('a buyer who rates', () => {
  test('is in the feedback report of the seller, with the last rating', async () => {
    const { orderId } = await shipped()
    await souk.buyer.leaveFeedback(orderId)
    await souk.buyer.leaveFeedback(orderId, { rating: 2, comment: 'Too small' })
    const path = `/operator/v1/feedback/${souk.demo.sellerId}/${orderId}`
    expect((await souk.get(path, { headers: souk.operator })).json()).toMatchObject({
      rating: 2,
      comment: 'Too small',
      raterEmail: `buyer-${orderId}@marketplace.example`,
    })
    const report = await new ReportsClient(souk).text({ reportType: 'GET_SELLER_FEEDBACK_DATA' })
    expect(report).toContain(`\t2\tToo small\t\t${orderId}\t`)
  })

  test.each([
    [{ rating: 6 }, 'rating must be at most 5.'],
    [{ orderId: '999-0000000-0000000' }, 'orderId does not exist.'],
  ])('%j is refused', async (overrides, details) => {
    const orderId = souk.demo.orders.tooEarly
    expect(errorOf(await act('buyer/leaveFeedback', { orderId, ...overrides }))).toMatchObject({ status: 400, details })
  })
})

describe('the operator', () => {
  test('performs the same acts with the operator key, and names the seller', async () => {
    await setStock(5)
    const { sellerId } = souk.demo
    const { orderId } = (await operatorAct('buyer/order', { sellerId, marketplaceId: US, sku: SKU })).json()
    expect((await client.order(orderId)).OrderStatus).toBe('Unshipped')
    expect((await operatorAct('buyer/cancel', { sellerId, orderId })).json().status).toBe('Canceled')
    expect(errorOf(await operatorAct('buyer/order', { sku: SKU })).details).toBe('sellerId is required.')
    expect(errorOf(await operatorAct('buyer/order', { sellerId, sku: SKU })).details).toBe(
      `marketplaceId is required: the seller lists it in A1PA6795UKMFR9, ${US}.`,
    )
    expect(errorOf(await operatorAct('buyer/order', { sellerId, sku: SKU }, {})).status).toBe(403)
  })
})
