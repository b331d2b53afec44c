import { createRequire } from 'node:module'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
// Imported by path: the package exports only its index, which loads every API and takes a second.
import * as OrdersV0SpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/orders_v0/index.js'
import * as OrdersSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/orders_v2026_01_01/index.js'
import { OrdersClient, V0 } from '../support/order-client.ts'
import { DAY, US } from '../support/seller-client.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

// The HTTP client of the SDK.
const superagent: { post(url: string): unknown } = createRequire(
  import.meta.resolve('@amazon-sp-api-release/amazon-sp-api-sdk-js'),
)('superagent')

describe("the vendor's JavaScript SDK", () => {
  let souk: TestSouk
  let client: OrdersClient
  let token: string
  let orderId: string
  beforeAll(async () => {
    souk = await startTestSouk()
    client = new OrdersClient(souk)
    token = await client.token()
    orderId = await client.place({
      buyer: { name: 'Nadia Benali', email: 'nadia@marketplace.example' },
      shipTo: { name: 'Nadia Benali', city: 'Portland' },
    })
  })
  afterEach(() => vi.restoreAllMocks())

  const connectV0 = () => {
    const api = new OrdersV0SpApi.ApiClient(souk.url)
    api.disableRateLimiter()
    return api
  }
  const plain = () => new OrdersV0SpApi.OrdersV0Api(connectV0().applyXAmzAccessTokenToRequest(token))

  /** A client that requests a restricted data token for each call. The token endpoint is hard-coded in the SDK. */
  function restricted(dataElements: string[]) {
    const post = superagent.post.bind(superagent)
    const posts = vi
      .spyOn(superagent, 'post')
      .mockImplementation((url) => post(url.replace('https://api.amazon.com', souk.url)))
    const { clientId, clientSecret, refreshToken } = souk.demo
    const api = connectV0().enableAutoRetrievalRestrictedDataToken(clientId, clientSecret, refreshToken, dataElements)
    return { orders: new OrdersV0SpApi.OrdersV0Api(api), posts }
  }

  test('lists, reads and ships an order', async () => {
    const listed = await plain().getOrders([US], {
      createdAfter: client.ago(2 * DAY),
      orderStatuses: ['Unshipped'],
      maxResultsPerPage: 50,
    })
    expect(listed).toMatchObject({
      payload: { orders: expect.arrayContaining([expect.objectContaining({ amazonOrderId: orderId })]) },
    })
    expect(await plain().getOrderItems(orderId)).toMatchObject({
      payload: { orderItems: [{ orderItemId: '11', itemPrice: { amount: '30.00' } }, {}] },
    })
    await plain().confirmShipment(orderId, {
      marketplaceId: US,
      packageDetail: {
        packageReferenceId: '1',
        carrierCode: 'UPS',
        trackingNumber: '1Z',
        shipDate: new Date(client.ago(1000)),
        orderItems: [{ orderItemId: '11', quantity: 3 }],
      },
    } as never)
    const after = await plain().getOrder(orderId)
    expect(after).toMatchObject({ payload: { orderStatus: 'PartiallyShipped', numberOfItemsShipped: 3 } })
    expect(JSON.stringify(after)).not.toContain('Nadia')
  })

  test('reads personal data with restricted data tokens that it fetches itself', async () => {
    const { orders, posts } = restricted(['buyerInfo', 'shippingAddress'])
    expect(await orders.getOrder(orderId)).toMatchObject({
      payload: {
        buyerInfo: { buyerName: 'Nadia Benali' },
        shippingAddress: { name: 'Nadia Benali', city: 'Portland' },
      },
    })
    expect(posts.mock.calls.map(([url]) => url)).toContain(`${souk.url}/tokens/2021-03-01/restrictedDataToken`)
    expect(await orders.getOrderAddress(orderId)).toMatchObject({ payload: { shippingAddress: { city: 'Portland' } } })
    expect(await orders.getOrderBuyerInfo(orderId)).toMatchObject({ payload: { buyerName: 'Nadia Benali' } })
    const list = await orders.getOrders([US], { amazonOrderIds: [orderId] } as never)
    expect(list).toMatchObject({ payload: { orders: [{ buyerInfo: { buyerName: 'Nadia Benali' } }] } })
    await expect(plain().getOrderAddress(orderId)).rejects.toMatchObject({ status: 403 })
  })

  test('reads version 2026-01-01 without any restricted data token', async () => {
    const api = new OrdersSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token)
    api.disableRateLimiter()
    const { order } = await new OrdersSpApi.GetOrderApi(api).getOrder(orderId, {
      includedData: ['BUYER', 'RECIPIENT', 'PACKAGES'],
    })
    expect(order).toMatchObject({ orderId, buyer: { buyerName: 'Nadia Benali' }, orderItems: [{}, {}] })
    const found = await new OrdersSpApi.SearchOrdersApi(api).searchOrders({
      createdAfter: new Date(client.ago(2 * DAY)),
      fulfillmentStatuses: ['UNSHIPPED', 'PARTIALLY_SHIPPED'],
      marketplaceIds: [US],
    } as never)
    expect(found.orders.map((one) => one.orderId)).toContain(orderId)
  })

  test('throws errors with the status and the reason', async () => {
    await expect(plain().getOrder('999-9999999-9999999')).rejects.toMatchObject({
      status: 404,
      response: { body: { errors: [{ code: 'NotFound' }] } },
    })
    expect((await client.get(`${V0}/${orderId}`)).statusCode).toBe(200)
  })
})
