import { beforeAll, describe, expect, test } from 'vitest'
import { listingsClient, newShoe, priceOf, setQuantity, US } from '../../support/listings.ts'
import { notificationConforms } from '../../support/notification-schemas.ts'
import {
  busEvents,
  eventBridge,
  type Notification,
  type NotificationsClient,
  notificationsClient,
  receive,
  SUBSCRIPTIONS,
  sqs,
} from '../../support/notifications.ts'
import { buildOrder } from '../../support/orders.ts'
import { modelsArePresent } from '../../support/public-models.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: NotificationsClient
let bus: string
let queue: string
beforeAll(async () => {
  souk = await startTestSouk()
  client = notificationsClient(souk)
  queue = await client.destination(sqs('changes'))
  bus = await client.destination(eventBridge())
})

async function put(plural: string, ...resources: object[]) {
  const response = await souk.put(`/operator/v1/${plural}`, {
    headers: souk.operator,
    payload: { [plural]: resources },
  })
  expect(response.statusCode, response.body).toBe(200)
}

/** Makes a change and returns the notifications that it causes on the queue and on the bus. */
async function causedBy(change: () => Promise<unknown>): Promise<Notification[]> {
  const before = (await busEvents(souk)).length
  await change()
  await souk.idle()
  const onBus = (await busEvents(souk)).slice(before).map(({ detail }) => detail)
  return [...(await receive(souk.queueUrl, 'changes')), ...onBus]
}

async function subscribed(type: string, destinationId: string, work: () => Promise<void>, fields: object = {}) {
  const subscriptionId = await client.subscription(type, destinationId, { ...fields })
  await work()
  await client.send('DELETE', `${SUBSCRIPTIONS}/${type}/${subscriptionId}`, 'seller')
}

describe('ORDER_CHANGE', () => {
  const order = (overrides: object = {}) =>
    buildOrder(souk.clock.now(), {
      sellerId: souk.demo.sellerId,
      orderId: '700-0000000-0000001',
      status: 'Unshipped',
      shipTo: { postalCode: '97201' },
      ...overrides,
    })

  test('is sent when the operator creates or changes an order, and not when an upsert changes nothing', () =>
    subscribed('ORDER_CHANGE', queue, async () => {
      const [created, ...others] = await causedBy(() => put('orders', order()))
      expect(others).toEqual([])
      expect(created).toMatchObject({
        NotificationType: 'ORDER_CHANGE',
        Payload: {
          OrderChangeNotification: {
            NotificationLevel: 'OrderLevel',
            SellerId: souk.demo.sellerId,
            AmazonOrderId: '700-0000000-0000001',
            OrderChangeType: 'OrderStatusChange',
            OrderChangeTrigger: { TimeOfOrderChange: souk.clock.now().toISOString(), ChangeReason: 'Order created' },
            Summary: {
              MarketplaceId: US,
              OrderStatus: 'Unshipped',
              DestinationPostalCode: '97201',
              FulfillmentType: 'MFN',
              NumberOfItemsShipped: 0,
              NumberOfItemsUnshipped: 1,
              OrderItems: [{ SellerSKU: 'SKU-1', OrderItemStatus: 'Unshipped', Quantity: 1 }],
            },
          },
        },
      })
      if (modelsArePresent) notificationConforms('ORDER_CHANGE', '1.0', created)
      expect(await causedBy(() => put('orders', order()))).toEqual([])
      const [shipped] = await causedBy(() => put('orders', order({ status: 'Shipped' })))
      expect(shipped).toMatchObject({
        Payload: {
          OrderChangeNotification: {
            OrderChangeTrigger: { ChangeReason: 'Order status changed from Unshipped to Shipped' },
            Summary: { OrderStatus: 'Shipped' },
          },
        },
      })
    }))

  test.each([
    [
      'the marketplace of other orders',
      { eventFilter: { eventFilterType: 'ORDER_CHANGE', marketplaceIds: ['A1PA6795UKMFR9'] } },
      0,
    ],
    [
      'the marketplace',
      { eventFilter: { eventFilterType: 'ORDER_CHANGE', marketplaceIds: ['A1PA6795UKMFR9', US] } },
      1,
    ],
    ['no marketplace', { eventFilter: { eventFilterType: 'ORDER_CHANGE', marketplaceIds: [] } }, 1],
    [
      'another type of change',
      { eventFilter: { eventFilterType: 'ORDER_CHANGE', orderChangeTypes: ['DeliveryTipChange'] } },
      0,
    ],
    [
      'the type of change',
      { eventFilter: { eventFilterType: 'ORDER_CHANGE', orderChangeTypes: ['OrderStatusChange'] } },
      1,
    ],
    ['the order status', { filterExpression: "OrderChangeNotification.Summary.OrderStatus == 'Canceled'" }, 1],
    ['another order status', { filterExpression: "OrderChangeNotification.Summary.OrderStatus == 'Shipped'" }, 0],
  ])('is filtered by %s: %s, %i sent', async (name, processingDirective, count) => {
    await subscribed(
      'ORDER_CHANGE',
      queue,
      async () => {
        const orderId = `701-0000000-${String(name.length * 100 + count).padStart(7, '0')}`
        const arrived = await causedBy(() => put('orders', order({ orderId, status: 'Canceled' })))
        expect(arrived).toHaveLength(count)
      },
      { processingDirective },
    )
  })

  test('is sent when a buyer asks for a cancellation, once, and can be filtered by that', async () => {
    const processingDirective = {
      eventFilter: { eventFilterType: 'ORDER_CHANGE', orderChangeTypes: ['BuyerRequestedChange'] },
    }
    const orderId = '799-0000000-0000001'
    const work = async () => {
      expect(await causedBy(() => put('orders', order({ orderId })))).toEqual([])
      const ask = () => souk.buyer.cancel(orderId, { isRequest: true, reason: 'Wrong size' })
      const [asked, ...others] = await causedBy(ask)
      expect(others).toEqual([])
      expect(asked).toMatchObject({
        Payload: {
          OrderChangeNotification: {
            OrderChangeType: 'BuyerRequestedChange',
            OrderChangeTrigger: { ChangeReason: 'Buyer requested cancellation' },
            Summary: { OrderStatus: 'Unshipped', OrderItems: [{ IsBuyerRequestedCancel: true }] },
          },
        },
      })
      if (modelsArePresent) notificationConforms('ORDER_CHANGE', '1.0', asked)
      expect(await causedBy(ask)).toEqual([])
    }
    await subscribed('ORDER_CHANGE', queue, work, { processingDirective })
  })

  test("is sent only for the seller's own orders, and for none from before the subscription", async () => {
    await put('orders', order({ orderId: '702-0000000-0000001' }))
    souk.clock.advance(1)
    await subscribed('ORDER_CHANGE', queue, async () => {
      const { sellerId } = souk.demo.otherSeller
      expect(await causedBy(() => put('orders', order({ sellerId, orderId: '702-0000000-0000002' })))).toEqual([])
    })
  })
})

describe('a listing', () => {
  const listings = async () => listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))

  const tooCheap = [{ currency: 'USD', our_price: priceOf(5), minimum_seller_allowed_price: priceOf(6) }]

  test('publishes its issues in both payload versions', async () => {
    const type = 'LISTINGS_ITEM_ISSUES_CHANGE'
    await client.subscription(type, bus)
    await client.subscription(type, bus, { payloadVersion: '2023-12-13' })
    const items = await listings()
    const arrived = await causedBy(() =>
      items.put('ISSUES-1', newShoe({ purchasable_offer: tooCheap, main_product_image_locator: undefined })),
    )
    const versions = arrived.map(({ PayloadVersion, Payload }) => [
      PayloadVersion,
      (Payload as { EnforcementActions: string[] }).EnforcementActions,
    ])
    expect(versions).toContainEqual(['1.0', ['SEARCH_SUPPRESSED']])
    expect(versions).toContainEqual(['2023-12-13', ['LISTING_SUPPRESSED', 'SEARCH_SUPPRESSED']])
    const healed = await causedBy(() => items.put('ISSUES-1', newShoe()))
    // The price is checked immediately, the image when the listing is processed.
    expect(healed).toHaveLength(4)
    for (const notification of healed.slice(-2)) {
      expect(notification.Payload).toMatchObject({ Severities: ['NONE'], EnforcementActions: [] })
      if (modelsArePresent) notificationConforms(type, String(notification.PayloadVersion), notification)
    }
    for (const notification of arrived) {
      if (modelsArePresent) notificationConforms(type, String(notification.PayloadVersion), notification)
    }
  })

  test('publishes its status, also on deletion, and its quantity', async () => {
    await client.subscription('LISTINGS_ITEM_STATUS_CHANGE', bus)
    await client.subscription('LISTINGS_ITEM_MFN_QUANTITY_CHANGE', bus)
    const items = await listings()
    const created = await causedBy(() => items.put('STATUS-1', newShoe()))
    expect(created.map(({ NotificationType }) => NotificationType).sort()).toEqual([
      'LISTINGS_ITEM_MFN_QUANTITY_CHANGE',
      'LISTINGS_ITEM_STATUS_CHANGE',
    ])
    const [stock] = await causedBy(() => items.patch('STATUS-1', [setQuantity(9)]))
    expect(stock?.Payload).toMatchObject({ Sku: 'STATUS-1', Quantity: 9 })
    const [deleted] = await causedBy(() => items.delete('STATUS-1'))
    expect(deleted?.Payload).toMatchObject({ Sku: 'STATUS-1', Status: ['DELETED'] })
    if (!modelsArePresent) return
    for (const one of [...created, stock, deleted]) notificationConforms(String(one?.NotificationType), '1.0', one)
  })
})

test('ACCOUNT_STATUS_CHANGED is sent when the operator changes the status of an account', async () => {
  const { sellerId } = souk.demo
  const seller = (await souk.get(`/operator/v1/sellers/${sellerId}`, { headers: souk.operator })).json()
  expect(seller.accountStatus).toBe('NORMAL')
  const change = (accountStatus?: string) =>
    causedBy(() => put('sellers', { ...seller, ...(accountStatus ? { accountStatus } : { accountStatus: undefined }) }))
  await subscribed(
    'ACCOUNT_STATUS_CHANGED',
    queue,
    async () => {
      expect(await change('NORMAL')).toEqual([])
      const [changed] = await change('AT_RISK')
      expect(changed).toMatchObject({
        notificationVersion: '1.0',
        payloadVersion: '2021-01-01',
        payload: {
          accountStatusChangeNotification: { previousAccountStatus: 'NORMAL', currentAccountStatus: 'AT_RISK' },
        },
      })
      expect(await change('AT_RISK')).toEqual([])
      const [back] = await change()
      expect(back?.payload).toMatchObject({ accountStatusChangeNotification: { currentAccountStatus: 'NORMAL' } })
    },
    { payloadVersion: '2021-01-01' },
  )
})

test('PRODUCT_TYPE_DEFINITIONS_CHANGE is sent for each marketplace of each subscribed seller', async () => {
  const type = 'PRODUCT_TYPE_DEFINITIONS_CHANGE'
  const other = notificationsClient(souk, souk.demo.otherSeller.refreshToken)
  await client.subscription(type, bus)
  await other.subscription(type, bus)
  const headers = souk.operator
  const [, shoes] = (await souk.get('/operator/v1/productTypes', { headers })).json().productTypes ?? []
  const definition = shoes ?? (await souk.get('/operator/v1/productTypes/SHOES', { headers })).json()
  const arrived = await causedBy(() => put('productTypes', { ...definition, name: 'SLIPPERS' }))
  const payloads = arrived.map(({ Payload }) => Payload as Record<string, unknown>)
  expect(new Set(payloads.map(({ AccountId }) => AccountId))).toEqual(
    new Set([souk.demo.sellerId, souk.demo.otherSeller.sellerId]),
  )
  const own = payloads.filter(({ AccountId }) => AccountId === souk.demo.sellerId)
  expect(own.map(({ MarketplaceId }) => MarketplaceId).sort()).toEqual(['A1PA6795UKMFR9', US])
  const token = await souk.tokenFor(souk.demo.refreshToken)
  const search = await souk.get(`/definitions/2020-09-01/productTypes?marketplaceIds=${US}`, { token })
  expect(own[0]).toMatchObject({
    ProductTypeVersion: search.json().productTypeVersion,
    NewProductTypes: ['SLIPPERS'],
  })
  if (modelsArePresent) notificationConforms(type, '1.0', arrived[0])
  expect(await causedBy(() => put('productTypes', { ...definition, name: 'SLIPPERS' }))).toEqual([])
})
