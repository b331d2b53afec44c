import { beforeAll, describe, expect, test } from 'vitest'
import { notificationsClient, receive, sqs } from '../../support/notifications.ts'
import { OrdersClient, SKU, V0, V2026 } from '../../support/order-client.ts'
import { allGood, OrderFeedsClient, sent, shipment } from '../../support/order-feeds.ts'
import { parseFlatFile, ReportsClient, TO_SHIP } from '../../support/reports.ts'
import { DAY, HOUR, US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: OrdersClient
let reports: ReportsClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrdersClient(souk)
  reports = new ReportsClient(souk)
  souk.clock.advance(1000)
  const notifications = notificationsClient(souk)
  await notifications.subscription('ORDER_CHANGE', await notifications.destination(sqs('orders')))
})

/** The status and the shipped pieces of an order, from every place that shows them. */
async function viewsOf(orderId: string) {
  await souk.idle()
  const v0 = await client.order(orderId)
  const { order } = await client.body(`${V2026}/${orderId}?includedData=FULFILLMENT,PACKAGES`)
  const stored = await client.stored(orderId)
  const messages = await receive(souk.queueUrl, 'orders')
  const summary = (messages.at(-1) as { Payload?: { OrderChangeNotification: { Summary: Record<string, unknown> } } })
    ?.Payload?.OrderChangeNotification.Summary
  const token = await client.restrictedToken('/reports/2021-06-30/documents/{reportDocumentId}')
  const [headings = [], ...rows] = parseFlatFile(await reports.text({ reportType: TO_SHIP }, token))
  const lines = rows.filter((row) => row[0] === orderId)
  const shippedOf = (items: { fulfillment: { quantityFulfilled: number } }[]) =>
    items.reduce((sum, { fulfillment }) => sum + fulfillment.quantityFulfilled, 0)
  const action = `/solicitations/v1/orders/${orderId}?marketplaceIds=${US}`
  return {
    statuses: [v0.OrderStatus, order.fulfillment.fulfillmentStatus, stored.status, summary?.OrderStatus],
    shipped: [
      v0.NumberOfItemsShipped,
      shippedOf(order.orderItems),
      stored.items.reduce((sum, { quantityShipped = 0 }) => sum + quantityShipped, 0),
      summary?.NumberOfItemsShipped,
    ],
    packages: [order.packages.length, stored.packages?.length ?? 0],
    toShip: lines.map((row) => row[headings.indexOf('quantity-to-ship')]),
    recipients: lines.map((row) => row[headings.indexOf('recipient-name')]),
    canAskForReview: (await client.body(action))._embedded.actions.length === 1,
  }
}

test('the operator API, both versions, reports, notifications and solicitations show the same order at every step', async () => {
  const { takesStock: _, ...placed } = client.build({
    purchasedAt: client.ago(HOUR),
    updatedAt: client.ago(HOUR),
    shipTo: { name: 'Nadia Benali', city: 'Portland' },
    items: [{ orderItemId: '1', sku: SKU, asin: 'B0SOUK0001', title: 'Shoe', quantity: 3, priceMinor: 8990 }],
  })
  const { orderId } = placed
  const stock = await client.stock()
  expect((await client.putOrders(placed)).statusCode).toBe(200)
  expect(await client.stock()).toBe(stock - 3)
  expect(await viewsOf(orderId)).toEqual({
    statuses: ['Unshipped', 'UNSHIPPED', 'Unshipped', 'Unshipped'],
    shipped: [0, 0, 0, 0],
    packages: [0, 0],
    toShip: ['3'],
    recipients: ['Nadia Benali'],
    canAskForReview: false,
  })

  const orderItems = [{ orderItemId: '1', quantity: 1 }]
  expect((await client.confirm(orderId, { orderItems, shipDate: client.ago(1000) })).statusCode).toBe(204)
  expect(await viewsOf(orderId)).toEqual({
    statuses: ['PartiallyShipped', 'PARTIALLY_SHIPPED', 'PartiallyShipped', 'PartiallyShipped'],
    shipped: [1, 1, 1, 1],
    packages: [1, 1],
    toShip: ['2'],
    recipients: ['Nadia Benali'],
    canAskForReview: false,
  })

  const carrier =
    '<FulfillmentData><CarrierCode>DHL</CarrierCode><ShipperTrackingNumber>7</ShipperTrackingNumber></FulfillmentData>'
  expect(await new OrderFeedsClient(souk).ship(shipment(orderId, carrier + sent('1', 2)))).toEqual(allGood(1))
  expect(await viewsOf(orderId)).toEqual({
    statuses: ['Shipped', 'SHIPPED', 'Shipped', 'Shipped'],
    shipped: [3, 3, 3, 3],
    packages: [2, 2],
    toShip: [],
    recipients: [],
    canAskForReview: false,
  })
  expect((await client.stored(orderId)).packages).toMatchObject([
    { packageReferenceId: '1', carrierCode: 'UPS' },
    { packageReferenceId: '2', carrierCode: 'DHL', trackingNumber: '7', items: [{ orderItemId: '1', quantity: 2 }] },
  ])

  const { packages: _kept, ...shipped } = await client.stored(orderId)
  const deliveredAt = client.ago(0)
  expect((await client.putOrders({ ...shipped, deliveredAt })).statusCode).toBe(200)
  souk.clock.advance(7 * DAY)
  const { order } = await client.body(`${V2026}/${orderId}?includedData=PACKAGES`)
  expect(order.packages.map((one: { packageStatus: object }) => one.packageStatus)).toEqual([
    { status: 'DELIVERED' },
    { status: 'DELIVERED' },
  ])
  const action = `/solicitations/v1/orders/${orderId}?marketplaceIds=${US}`
  expect((await client.body(action))._embedded.actions).toHaveLength(1)
  expect(await client.stock()).toBe(stock - 3)
})

describe('updateVerificationStatus', () => {
  let orderId: string
  beforeAll(async () => {
    orderId = await client.place({
      regulatedInfo: {
        fields: [{ id: 'pet', label: 'Name of the pet', type: 'Text', value: 'Rex' }],
        rejectionReasons: [{ id: 'R1', description: 'No prescription' }],
      },
    })
  })
  const url = () => `${V0}/${orderId}/regulatedInfo`
  const update = (status: object) =>
    client.send('PATCH', url(), {
      payload: { regulatedOrderVerificationStatus: { externalReviewerId: 'me', ...status } },
    })

  test.each([
    ['a rejection without a reason', { status: 'Rejected' }, 'rejectionReasonId'],
    ['an unknown reason', { status: 'Rejected', rejectionReasonId: 'R9' }, 'rejectionReasonId'],
    ['a reason for an approval', { status: 'Approved', rejectionReasonId: 'R1' }, 'rejectionReasonId'],
    ['a status of the service', { status: 'Expired' }, 'status'],
    ['no reviewer', { status: 'Approved', externalReviewerId: undefined }, 'externalReviewerId'],
  ])('refuses %s', async (_what, status, details) => {
    expect(errorOf(await update(status))).toMatchObject({ status: 400, details: expect.stringContaining(details) })
    expect((await client.stored(orderId)).regulatedInfo?.status).toBeUndefined()
  })

  test('rejects the information once', async () => {
    expect((await update({ status: 'Rejected', rejectionReasonId: 'R1' })).statusCode).toBe(204)
    const body = (await client.get(url(), { token: await client.restrictedToken(url()) })).json()
    expect(body.payload.RegulatedOrderVerificationStatus).toMatchObject({
      Status: 'Rejected',
      RejectionReason: { RejectionReasonId: 'R1' },
      ExternalReviewerId: 'me',
      RequiresMerchantAction: false,
    })
    expect(errorOf(await update({ status: 'Approved' }))).toMatchObject({ status: 400 })
    const plain = await client.place()
    expect((await client.send('PATCH', `${V0}/${plain}/regulatedInfo`, { payload: {} })).statusCode).toBe(400)
  })
})
