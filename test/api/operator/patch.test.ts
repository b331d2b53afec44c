import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildCatalogItem } from '../../support/catalog.ts'
import { listingsClient, setQuantity } from '../../support/listings.ts'
import { buildCompetitorOffer, marketClient, US } from '../../support/market.ts'
import { notificationsClient, receive } from '../../support/notifications.ts'
import { OrdersClient, SKU } from '../../support/order-client.ts'
import { putResources } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const ASIN = 'B0PATCH001'

let souk: TestSouk
let client: OrdersClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrdersClient(souk)
  await putResources(souk, 'catalogItems', [buildCatalogItem(ASIN)])
})

const patch = (path: string, payload: object, headers: Record<string, string> = {}) =>
  souk.send('PATCH', `/operator/v1/${path}`, { headers: { ...souk.operator, ...headers }, payload })
const get = async (path: string) => (await souk.get(`/operator/v1/${path}`, { headers: souk.operator })).json()
const detailsOf = (response: { json(): { errors: { details: string }[] } }) =>
  response.json().errors.map(({ details }) => details)

describe('a patch of an offer', () => {
  const offer = buildCompetitorOffer('APATCHED', {
    asin: ASIN,
    quantity: 4,
    terms: { prime: 'NATIONAL', sellerFeedbackRating: { percentPositive: 90, count: 10 } },
  })
  const path = `offers/${US}/${ASIN}/APATCHED/-`
  beforeEach(() => putResources(souk, 'offers', [offer]))

  test.each(['application/json', 'application/merge-patch+json', 'application/merge-patch+json; charset=utf-8'])(
    'as %s changes the fields that it has, and keeps the others',
    async (type) => {
      const response = await patch(path, { priceMinor: 1234, terms: { prime: 'NONE' } }, { 'content-type': type })
      expect(response.statusCode, response.body).toBe(200)
      const after = { ...offer, priceMinor: 1234, terms: { ...offer.terms, prime: 'NONE' } }
      expect(response.json()).toEqual(after)
      expect(await get(path)).toEqual(after)
    },
  )

  test('removes what is null', async () => {
    await patch(path, { quantity: null, terms: { prime: null } })
    expect(await get(path)).toEqual({
      ...offer,
      quantity: 1,
      terms: { sellerFeedbackRating: { percentPositive: 90, count: 10 } },
    })
  })

  test('takes effect in the market', async () => {
    const market = marketClient(souk, await souk.tokenFor(souk.demo.refreshToken))
    await market.offer(buildCompetitorOffer('AOTHER', { asin: ASIN, priceMinor: 1000 }))
    expect(await market.featured(ASIN)).toBe('AOTHER')
    await patch(path, { priceMinor: 900 })
    expect(await market.featured(ASIN)).toBe('APATCHED')
  })

  test('reports everything that is wrong, and writes nothing', async () => {
    const invalid = { priceMinor: -1, quantity: 0.5, color: 'red', terms: { prime: 'SOME' }, currencyCode: null }
    const response = await patch(path, invalid)
    expect(response.statusCode).toBe(400)
    expect(detailsOf(response)).toEqual([
      'currencyCode is required.',
      'priceMinor must be at least 0.',
      'quantity must be an integer.',
      'terms.prime must be one of NONE, NATIONAL, REGIONAL.',
      'color is not allowed.',
    ])
    expect(await get(path)).toEqual(offer)
  })

  test.each<[string, object, string]>([
    ['the key', { sellerId: 'AOTHER', asin: ASIN }, 'sellerId cannot change: it is APATCHED.'],
    ['the currency', { currencyCode: 'EUR' }, 'currencyCode must be the currency of the marketplace: USD.'],
  ])('cannot change %s', async (_what, payload, details) => {
    expect(errorOf(await patch(path, payload))).toMatchObject({ status: 400, details })
    expect(await get(path)).toEqual(offer)
  })

  test('cannot change the offer of a listing, or one that does not exist', async () => {
    const own = `offers/${US}/${souk.demo.asins[0]}/${souk.demo.sellerId}/${SKU}`
    expect(errorOf(await patch(own, { priceMinor: 1 })).details).toBe("sku is the offer of a seller's listing.")
    expect(errorOf(await patch(`offers/${US}/${ASIN}/ANONE/-`, { priceMinor: 1 }))).toMatchObject({ status: 404 })
  })

  test.each<[string, unknown]>([
    ['a list', []],
    ['text', '"text"'],
    ['null', 'null'],
  ])('is an object, not %s', async (_what, payload) => {
    const headers = { 'content-type': 'application/json' }
    expect(errorOf(await patch(path, payload as object, headers))).toMatchObject({ status: 400 })
    expect(await get(path)).toEqual(offer)
  })

  test('needs the operator key', async () => {
    expect((await souk.send('PATCH', `/operator/v1/${path}`, { payload: {} })).statusCode).toBe(403)
  })

  test('does not lose another one at the same time', async () => {
    const changes = [{ priceMinor: 777 }, { quantity: 77 }, { shippingMinor: 7 }, { terms: { prime: 'REGIONAL' } }]
    const responses = await Promise.all(changes.map((change) => patch(path, change)))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(await get(path)).toMatchObject({
      priceMinor: 777,
      quantity: 77,
      shippingMinor: 7,
      terms: { prime: 'REGIONAL' },
    })
  })
})

describe('a patch of an order', () => {
  const pathOf = (orderId: string) => `orders/${client.sellerId}/${orderId}`

  async function sell(quantity: number): Promise<string> {
    const listings = listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
    await listings.patch(SKU, [setQuantity(10)])
    await souk.idle()
    return (await souk.buyer.order({ sku: SKU, quantity })).orderId
  }

  test('needs the new status only: a shipped order has all pieces shipped', async () => {
    const orderId = await sell(2)
    const before = await client.stored(orderId)
    souk.clock.advance(1000)
    const response = await patch(pathOf(orderId), { status: 'Shipped' })
    expect(response.statusCode, response.body).toBe(200)
    const items = before.items.map((item) => ({ ...item, quantityShipped: 2 }))
    expect(await client.stored(orderId)).toEqual({
      ...before,
      status: 'Shipped',
      updatedAt: souk.clock.now().toISOString(),
      items,
    })
  })

  test('to Canceled gives the pieces back, and is notified', async () => {
    const orderId = await sell(3)
    expect(await client.stock()).toBe(7)
    souk.clock.advance(1000)
    await notificationsClient(souk).listen('patches', 'ORDER_CHANGE')
    await patch(pathOf(orderId), { status: 'Canceled' })
    expect(await client.stock()).toBe(10)
    await souk.idle()
    expect(await receive(souk.queueUrl, 'patches')).toMatchObject([
      { Payload: { OrderChangeNotification: { AmazonOrderId: orderId, Summary: { OrderStatus: 'Canceled' } } } },
    ])
  })

  test('keeps shipped pieces and packages, and removes packages only if they are null', async () => {
    const orderId = await client.place()
    await client.confirm(orderId)
    await patch(pathOf(orderId), { sellerOrderId: 'MINE' })
    const stored = await client.stored(orderId)
    expect(stored).toMatchObject({ status: 'PartiallyShipped', sellerOrderId: 'MINE', packages: [{}] })
    expect(stored.items).toMatchObject([{ quantityShipped: 2 }, { quantityShipped: 0 }])
    await patch(pathOf(orderId), { packages: null })
    expect(await client.stored(orderId)).not.toHaveProperty('packages')
  })

  test('cannot go back, and nothing is written', async () => {
    const orderId = await client.place({ status: 'Shipped' })
    const before = await client.stored(orderId)
    expect(errorOf(await patch(pathOf(orderId), { status: 'Unshipped' }))).toMatchObject({
      status: 400,
      details: 'status cannot be Unshipped: the order is Shipped.',
    })
    expect(await client.stored(orderId)).toEqual(before)
  })

  test('of more pieces than there are is refused with the place in the patch', async () => {
    const orderId = await sell(1)
    const [item] = (await client.stored(orderId)).items
    const response = await patch(pathOf(orderId), { items: [{ ...item, quantity: 100 }] })
    expect(errorOf(response).details).toBe('items[0].quantity exceeds the stock of the listing: 9 left.')
  })
})

test('sellers, marketplaces, returns, feedback and catalog items can be patched, too', async () => {
  const { sellerId, orders } = souk.demo
  const orderId = orders.tooEarly
  await souk.buyer.leaveFeedback(orderId, { rating: 1 })
  const { rmaId } = await souk.buyer.return(orderId)
  for (const [path, change] of [
    [`sellers/${sellerId}`, { sellingPlan: 'INDIVIDUAL' }],
    [`marketplaces/${US}`, { name: 'Renamed' }],
    [`returns/${sellerId}/${rmaId}`, { status: 'Completed' }],
    [`feedback/${sellerId}/${orderId}`, { response: 'Sorry' }],
    [`catalogItems/${US}/${ASIN}`, { brand: 'Patch' }],
  ] as const) {
    const before = await get(path)
    expect((await patch(path, change)).json(), path).toEqual({ ...before, ...change })
    expect(await get(path)).toEqual({ ...before, ...change })
  }
})

describe('a batch', () => {
  test('reports all malformed fields of all resources at once', async () => {
    const order = client.build()
    const { currencyCode: _, ...incomplete } = client.build({ status: 'Lost' as 'Shipped', deliveredAt: 'soon' })
    const response = await client.putOrders(
      { ...order, color: 'red', shipTo: { city: 7 } },
      { ...incomplete, items: [{ ...order.items[0], quantity: '1' }, 'x'] },
    )
    expect(response.statusCode).toBe(400)
    expect(detailsOf(response).sort()).toEqual([
      'orders[0].color is not allowed.',
      'orders[0].shipTo.city must be a string.',
      'orders[1].currencyCode is required.',
      'orders[1].deliveredAt must be an ISO 8601 date and time.',
      'orders[1].items[0].quantity must be an integer.',
      'orders[1].items[1] must be an object.',
      expect.stringMatching(/^orders\[1\].status must be one of PendingAvailability, /),
    ])
  })

  test('reports all contradictions of all resources at once, and writes none of them', async () => {
    const good = client.build()
    const [item] = good.items as [(typeof good.items)[number]]
    const response = await client.putOrders(
      good,
      client.build({ sellerId: 'NONE', items: [item, item] }),
      client.build({ marketplaceId: 'NONE', deliveredAt: client.ago(0), items: [{ ...item, quantityShipped: 1 }] }),
    )
    expect(detailsOf(response)).toEqual([
      'orders[1].sellerId does not exist.',
      'orders[2].marketplaceId does not exist.',
      'orders[1].items[1].orderItemId is duplicated.',
      'orders[2].items[0].quantityShipped must be 0 in an order that is Unshipped.',
      'orders[2].deliveredAt must be absent from an order that is Unshipped.',
    ])
    expect(
      (await souk.get(`/operator/v1/orders/${client.sellerId}/${good.orderId}`, { headers: souk.operator })).statusCode,
    ).toBe(404)
  })

  test('reports all shortages of stock at once', async () => {
    const { takesStock: _, ...order } = client.build()
    const [item] = order.items as [(typeof order.items)[number]]
    const { takesStock: __, ...other } = client.build({ items: [{ ...item, sku: 'NONE' }] })
    const response = await client.putOrders({ ...order, items: [{ ...item, quantity: 5000 }] }, other)
    expect(detailsOf(response)).toEqual([
      expect.stringMatching(/^orders\[0\].items\[0\].quantity exceeds the stock of the listing: \d+ left.$/),
      'orders[1].items[0].sku is not a listing of the seller in the marketplace.',
    ])
  })

  test('reports a hundred violations at most, and a list that is too long as one', async () => {
    const many = await souk.put('/operator/v1/orders', {
      headers: souk.operator,
      payload: { orders: Array.from({ length: 1000 }, () => ({})) },
    })
    expect(many.json().errors).toHaveLength(100)
    const tooMany = await souk.put('/operator/v1/orders', {
      headers: souk.operator,
      payload: { orders: Array.from({ length: 1001 }, () => 1) },
    })
    expect(errorOf(tooMany).details).toBe('orders must have at most 1000 items.')
  })
})
