import { beforeAll, describe, expect, test } from 'vitest'
import { OrdersClient, V0, V2026 } from '../../support/order-client.ts'
import { conformsTo, modelsArePresent } from '../../support/public-models.ts'
import { putResources, US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const MODEL_V0 = 'ordersV0.json'
const MODEL_2026 = 'orders_2026-01-01.json'

let souk: TestSouk
let client: OrdersClient
let orderId: string
beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrdersClient(souk)
  const [shoe, boot] = client.build().items
  orderId = await client.place({
    sellerOrderId: 'MINE-1',
    isPrime: true,
    isBusinessOrder: true,
    replacedOrderId: '123-1234567-1234567',
    latestShipAt: client.ago(-1000),
    payments: [{ method: 'CreditCard', amountMinor: 4740 }],
    buyer: {
      name: 'Nadia Benali',
      email: 'nadia@marketplace.example',
      companyName: 'Benali & Co',
      purchaseOrderNumber: 'PO-1',
      taxInfo: { companyLegalName: 'Benali & Co', classifications: [{ name: 'VAT', value: 'DE1' }] },
      businessTax: { legalCompanyName: 'Benali & Co', taxRegistrationId: '7', taxOffice: 'Leipzig' },
    },
    shipTo: { name: 'Nadia Benali', addressLine1: '1 Bazaar Street', city: 'Portland', countryCode: 'US', phone: '1' },
    deliveryPreferences: { dropOffLocation: 'Porch' },
    regulatedInfo: {
      fields: [{ id: 'pet', label: 'Name of the pet', type: 'Text', value: 'Rex' }],
      rejectionReasons: [{ id: 'R1', description: 'No prescription' }],
    },
    items: [
      {
        ...shoe,
        shippingTaxMinor: 40,
        promotionDiscountMinor: 100,
        promotionIds: ['SUMMER'],
        conditionType: 'used_very_good',
        points: { number: 5, valueMinor: 5 },
        gift: { message: 'For you', wrapLevel: 'Classic', wrapPriceMinor: 60 },
        customizedUrl: 'https://marketplace.example/engraving',
        buyerCancelReason: 'Too late',
      },
      boot,
    ] as never,
  })
})

const everything =
  'BUYER,RECIPIENT,PROCEEDS,EXPENSE,PROMOTION,CANCELLATION,FULFILLMENT,PACKAGES,TAX,PAYMENT,FULFILLMENT_ORDERS'

describe('getOrder of version 0', () => {
  test('returns the order without personal data', async () => {
    const body = await client.body(`${V0}/${orderId}`)
    expect(body.payload).toMatchObject({
      AmazonOrderId: orderId,
      SellerOrderId: 'MINE-1',
      OrderStatus: 'Unshipped',
      FulfillmentChannel: 'MFN',
      MarketplaceId: US,
      SalesChannel: 'Amazon.com',
      OrderTotal: { CurrencyCode: 'USD', Amount: '47.40' },
      NumberOfItemsShipped: 0,
      NumberOfItemsUnshipped: 4,
      IsPrime: true,
      IsReplacementOrder: true,
      ReplacedOrderId: '123-1234567-1234567',
      HasRegulatedItems: true,
    })
    expect(JSON.stringify(body)).not.toMatch(/Nadia|nadia|Bazaar Street|Leipzig|Portland/)
    if (modelsArePresent) conformsTo(MODEL_V0, 'GetOrderResponse', body)
  })

  test('returns every order of the demo marketplace', async () => {
    for (const demoOrderId of [souk.demo.orders.eligible[0], souk.demo.orders.notDelivered]) {
      expect((await client.order(demoOrderId as string)).AmazonOrderId).toBe(demoOrderId)
    }
  })

  test('hides prices until the order is paid', async () => {
    const pending = await client.place({ status: 'Pending', shipTo: { city: 'Portland' } })
    expect(await client.order(pending)).not.toHaveProperty('OrderTotal')
    const { payload } = await client.body(`${V0}/${pending}/orderItems`)
    expect(payload.OrderItems[0]).not.toHaveProperty('ItemPrice')
    const path = `${V0}/{orderId}/address`
    const token = await client.restrictedToken(path)
    const address = await client.get(path.replace('{orderId}', pending), { token })
    expect(address.json().payload).not.toHaveProperty('ShippingAddress')
  })

  test.each(['', '/orderItems', '/orderItems/buyerInfo', '/buyerInfo', '/address', '/regulatedInfo'])(
    'refuses an unknown order, and one of another seller: %s',
    async (path) => {
      const other = new OrdersClient(souk, souk.demo.otherSeller.refreshToken)
      for (const [caller, asked] of [
        [client, '999-9999999-9999999'],
        [client, 'nonsense'],
        [other, orderId],
      ] as const) {
        const needsElements = path === '' || path === '/orderItems'
        const token = await caller.restrictedToken(`${V0}/{orderId}${path}`, needsElements ? ['buyerInfo'] : undefined)
        const error = errorOf(await caller.get(`${V0}/${asked}${path}`, { token }))
        expect(error).toMatchObject({ status: 404, code: 'NotFound' })
      }
    },
  )
})

describe('personal data in version 0', () => {
  test.each([
    ['buyerInfo', 'BuyerInfo', { BuyerName: 'Nadia Benali', BuyerEmail: 'nadia@marketplace.example' }],
    ['shippingAddress', 'ShippingAddress', { Name: 'Nadia Benali', AddressLine1: '1 Bazaar Street' }],
    ['buyerTaxInformation', 'BuyerTaxInformation', { BuyerTaxRegistrationId: '7', BuyerTaxOffice: 'Leipzig' }],
  ])('%s comes with a token for that element only', async (element, property, expected) => {
    const elements = ['BuyerInfo', 'ShippingAddress', 'BuyerTaxInformation']
    const token = await client.restrictedToken(`${V0}/${orderId}`, [element])
    const { payload } = (await client.get(`${V0}/${orderId}`, { token })).json()
    expect(payload[property]).toMatchObject(expected)
    expect(elements.filter((name) => name in payload)).toEqual([property])
    const forList = await client.restrictedToken(V0, [element])
    const list = `${V0}?MarketplaceIds=${US}&AmazonOrderIds=${orderId}`
    const [listed] = (await client.get(list, { token: forList })).json().payload.Orders
    expect(listed[property]).toMatchObject(expected)
    if (modelsArePresent) conformsTo(MODEL_V0, 'Order', listed)
  })

  test('a token for one order opens no other, and no list', async () => {
    const token = await client.restrictedToken(`${V0}/${orderId}`, ['buyerInfo'])
    const other = souk.demo.orders.eligible[0]
    for (const path of [`/${other}`, `/${orderId}/orderItems`, `?MarketplaceIds=${US}&AmazonOrderIds=${orderId}`]) {
      expect(errorOf(await client.get(`${V0}${path}`, { token }))).toMatchObject({ status: 403 })
    }
  })

  test('items have what the buyer stated with a token for buyerInfo only', async () => {
    const path = `${V0}/${orderId}/orderItems`
    const plain = await client.body(path)
    expect(plain.payload.OrderItems[0]).toMatchObject({
      QuantityOrdered: 3,
      ItemPrice: { Amount: '30.00' },
      ShippingTax: { Amount: '0.40' },
      PromotionIds: ['SUMMER'],
      ConditionId: 'Used',
      ConditionSubtypeId: 'VeryGood',
      IsGift: 'true',
      BuyerRequestedCancel: { IsBuyerRequestedCancel: 'true', BuyerCancelReason: 'Too late' },
    })
    expect(JSON.stringify(plain)).not.toContain('For you')
    const token = await client.restrictedToken(path, ['buyerInfo'])
    const opened = (await client.get(path, { token })).json()
    expect(opened.payload.OrderItems[0].BuyerInfo).toMatchObject({
      GiftMessageText: 'For you',
      GiftWrapLevel: 'Classic',
    })
    if (modelsArePresent) conformsTo(MODEL_V0, 'GetOrderItemsResponse', opened)
    expect(errorOf(await client.get(`${path}?NextToken=abc`))).toMatchObject({ status: 400 })
  })

  test.each([
    ['/buyerInfo', 'GetOrderBuyerInfoResponse', { BuyerName: 'Nadia Benali', PurchaseOrderNumber: 'PO-1' }],
    ['/address', 'GetOrderAddressResponse', { ShippingAddress: { City: 'Portland' }, BuyerCompanyName: 'Benali & Co' }],
    ['/orderItems/buyerInfo', 'GetOrderItemsBuyerInfoResponse', { OrderItems: [{ GiftMessageText: 'For you' }, {}] }],
    [
      '/regulatedInfo',
      'GetOrderRegulatedInfoResponse',
      { RegulatedOrderVerificationStatus: { Status: 'Pending', RequiresMerchantAction: true } },
    ],
  ])('%s requires a restricted data token', async (path, definition, expected) => {
    const url = `${V0}/${orderId}${path}`
    expect(errorOf(await client.get(url))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringContaining('restricted data token'),
    })
    const body = (await client.get(url, { token: await client.restrictedToken(`${V0}/{orderId}${path}`) })).json()
    expect(body.payload).toMatchObject({ AmazonOrderId: orderId, ...expected })
    if (modelsArePresent) conformsTo(MODEL_V0, definition, body)
  })
})

describe('getOrder of version 2026-01-01', () => {
  test('returns the items always, and other data only if asked for', async () => {
    const body = await client.body(`${V2026}/${orderId}`)
    expect(body.order).toMatchObject({
      orderId,
      salesChannel: { channelName: 'AMAZON', marketplaceId: US },
      orderItems: [
        { quantityOrdered: 3, product: { condition: { conditionType: 'USED', conditionSubtype: 'VERY_GOOD' } } },
        { orderItemId: '22' },
      ],
    })
    const optional = [
      'buyer',
      'recipient',
      'proceeds',
      'fulfillment',
      'packages',
      'tax',
      'payment',
      'fulfillmentOrders',
    ]
    expect(optional.filter((name) => name in body.order)).toEqual([])
    if (modelsArePresent) conformsTo(MODEL_2026, 'GetOrderResponse', body)
  })

  test('returns all data, and the amounts add up', async () => {
    const body = await client.body(`${V2026}/${orderId}?includedData=${everything}`)
    const { order } = body
    expect(order).toMatchObject({
      buyer: { buyerName: 'Nadia Benali' },
      recipient: { deliveryAddress: { name: 'Nadia Benali', city: 'Portland' } },
      proceeds: { grandTotal: { amount: '47.40', currencyCode: 'USD' } },
      payment: { paymentExecutions: [{ paymentMethod: 'CreditCard' }] },
      fulfillment: { fulfillmentStatus: 'UNSHIPPED', fulfilledBy: 'MERCHANT' },
      tax: { taxRegistrations: [{ taxRegistrationNumber: '7' }] },
      packages: [],
      fulfillmentOrders: [],
    })
    expect(order.orderItems[0]).toMatchObject({
      expense: { pointsCost: { pointsGranted: { pointsNumber: 5 } } },
      promotion: { breakdowns: [{ promotionId: 'SUMMER' }] },
      cancellation: { cancellationRequest: { requester: 'BUYER' } },
      fulfillment: { quantityFulfilled: 0, quantityUnfulfilled: 3 },
    })
    const sum = (amounts: { subtotal: { amount: string } }[]) =>
      amounts.reduce((total, { subtotal }) => total + Number(subtotal.amount), 0).toFixed(2)
    expect(sum(order.proceeds.breakdowns)).toBe('47.40')
    if (modelsArePresent) conformsTo(MODEL_2026, 'GetOrderResponse', body)
  })

  test('leaves personal data out unless the application has a role for it', async () => {
    const { applicationId } = souk.demo
    const stored = (await souk.get(`/operator/v1/applications/${applicationId}`, { headers: souk.operator })).json()
    const withRoles = (roles: string[]) =>
      putResources(souk, 'applications', [{ applicationId, name: stored.name, roles }])
    const seen = async () => {
      const { order } = await client.body(`${V2026}/${orderId}?includedData=${everything}`)
      const [{ product, fulfillment }] = order.orderItems
      expect(fulfillment.packing.giftOption.giftWrapLevel).toBe('Classic')
      const found = {
        buyer: order.buyer,
        recipient: order.recipient,
        taxRegistrations: order.tax.taxRegistrations,
        giftMessage: fulfillment.packing.giftOption.giftMessage,
        customization: product.customization,
      }
      return Object.keys(found).filter((name) => found[name as keyof typeof found] !== undefined)
    }
    await withRoles([])
    expect(await seen()).toEqual([])
    await withRoles(['DIRECT_TO_CONSUMER_SHIPPING'])
    expect(await seen()).toEqual(['recipient', 'giftMessage', 'customization'])
    const { order } = await client.body(`${V2026}/${orderId}`)
    expect(order.orderItems[0].product.customization.customizedUrl).toContain('engraving')
    await withRoles(['TAX_REMITTANCE'])
    expect(await seen()).toEqual(['buyer', 'taxRegistrations'])
    await withRoles(stored.roles)
    expect(await seen()).toEqual(['buyer', 'recipient', 'taxRegistrations', 'giftMessage', 'customization'])
  })

  test('refuses unknown data sets, unknown orders and orders of other sellers', async () => {
    const other = new OrdersClient(souk, souk.demo.otherSeller.refreshToken)
    expect(errorOf(await client.get(`${V2026}/${orderId}?includedData=SECRETS`))).toMatchObject({ status: 400 })
    for (const response of [await other.get(`${V2026}/${orderId}`), await client.get(`${V2026}/1`)]) {
      expect(errorOf(response)).toMatchObject({ status: 404, code: 'NotFound' })
      if (modelsArePresent) conformsTo(MODEL_2026, 'ErrorList', response.json())
    }
  })
})
