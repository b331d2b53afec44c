import { beforeAll, describe, expect, test } from 'vitest'
import { encodePageState } from '../../../src/areas/orders/page-token.ts'
import { OrdersClient, V0, V2026 } from '../../support/order-client.ts'
import { conformsTo, modelsArePresent } from '../../support/public-models.ts'
import { DAY, DE, MINUTE, putResources, registerSeller, US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: OrdersClient
const ids = (orders: { AmazonOrderId: string }[]) => orders.map(({ AmazonOrderId }) => AmazonOrderId)

/** A seller with ten orders: one a day, the newest one day old. Odd ones are shipped. */
beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrdersClient(souk, await registerSeller(souk, 'AORDERS', [US, DE]), 'AORDERS')
  const orders = Array.from({ length: 10 }, (_, index) =>
    client.build({
      orderId: id(index),
      purchasedAt: client.ago((10 - index) * DAY),
      updatedAt: client.ago((index + 1) * MINUTE * 10),
      status: index % 2 ? 'Shipped' : 'Unshipped',
      fulfillmentChannel: index % 3 ? 'MFN' : 'AFN',
      earliestDeliveryAt: client.ago((8 - index) * DAY),
      latestDeliveryAt: client.ago((7 - index) * DAY),
    }),
  )
  const special = client.build({
    orderId: id(77),
    marketplaceId: DE,
    currencyCode: 'EUR',
    sellerOrderId: 'MINE-7',
    buyer: { email: 'buyer@example.com' },
    paymentMethod: 'COD',
    easyShipStatus: 'PickedUp',
    invoiceStatus: 'Accepted',
    supplySourceId: 'warehouse',
    storeChainStoreId: 'store',
    isPickup: true,
  })
  await putResources(souk, 'orders', [...orders, special])
})

const hasKeys = (value: object) => Object.keys(value).length > 0
const id = (index: number) => `920-0000000-${String(index).padStart(7, '0')}`
const numbered = (...indexes: number[]) => indexes.map(id)
const created = (days = 30) => `CreatedAfter=${client.ago(days * DAY)}`
const both = `MarketplaceIds=${US},${DE}`

describe('getOrders', () => {
  test('lists orders by creation, and says until when', async () => {
    const { Orders, CreatedBefore, NextToken } = await client.list(`MarketplaceIds=${US}&${created()}`)
    expect(ids(Orders)).toEqual(numbered(0, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    expect(CreatedBefore).toBe(client.ago(2 * MINUTE))
    expect(NextToken).toBeUndefined()
    if (modelsArePresent) conformsTo('ordersV0.json', 'OrdersList', { Orders, CreatedBefore })
  })

  test('lists orders by their last update', async () => {
    const { Orders, LastUpdatedBefore } = await client.list(`MarketplaceIds=${US}&LastUpdatedAfter=${client.ago(DAY)}`)
    expect(ids(Orders)).toEqual(numbered(9, 8, 7, 6, 5, 4, 3, 2, 1, 0))
    expect(LastUpdatedBefore).toBe(client.ago(2 * MINUTE))
  })

  test.each<[string, () => string, number[]]>([
    [
      'both ends of the period',
      () => `CreatedAfter=${client.ago(8 * DAY)}&CreatedBefore=${client.ago(6 * DAY)}`,
      [2, 3, 4],
    ],
    ['statuses', () => `${created()}&OrderStatuses=Shipped`, [1, 3, 5, 7, 9]],
    ['several statuses', () => `${created(4)}&OrderStatuses=Shipped,Unshipped`, [6, 7, 8, 9, 77]],
    ['a status without orders', () => `${created()}&OrderStatuses=Canceled`, []],
    ['channels', () => `${created()}&FulfillmentChannels=AFN`, [0, 3, 6, 9]],
    ['channels and statuses', () => `${created()}&FulfillmentChannels=AFN&OrderStatuses=Unshipped`, [0, 6]],
    ['payment methods', () => `${created()}&PaymentMethods=COD`, [77]],
    ['the buyer', () => `${created()}&BuyerEmail=buyer@example.com`, [77]],
    ["the seller's own id", () => `${created()}&SellerOrderId=MINE-7`, [77]],
    ['Easy Ship statuses', () => `${created()}&EasyShipShipmentStatuses=PickedUp,Lost`, [77]],
    ['invoice statuses', () => `${created()}&ElectronicInvoiceStatuses=Accepted`, [77]],
    ['ids, without a period', () => `AmazonOrderIds=${numbered(3, 77, 5000).join(',')}`, [77, 3]],
    ['ids and a status', () => `AmazonOrderIds=${numbered(3, 4).join(',')}&OrderStatuses=Unshipped`, [4]],
    ['the supply source', () => `${created()}&ActualFulfillmentSupplySourceId=warehouse`, [77]],
    ['pickup in a store', () => `${created()}&IsISPU=true`, [77]],
    ['the store', () => `${created()}&StoreChainStoreId=store`, [77]],
    ['earliest deliveries', () => `${created()}&EarliestDeliveryDateAfter=${client.ago(0)}`, [8, 9]],
    ['latest deliveries', () => `${created()}&LatestDeliveryDateBefore=${client.ago(6 * DAY)}`, [0, 1]],
  ])('selects by %s', async (_what, query, expected) => {
    expect(ids((await client.list(`${both}&${query()}`)).Orders)).toEqual(numbered(...expected))
  })

  test('finds by id what getOrder finds: an old order that changed, and one that changed just now', async () => {
    const changed = await client.place({ purchasedAt: client.ago(3 * 365 * DAY), updatedAt: client.ago(0) })
    const { Orders, LastUpdatedBefore } = await client.list(`MarketplaceIds=${US}&AmazonOrderIds=${changed}`)
    expect(ids(Orders)).toEqual([changed])
    expect(LastUpdatedBefore).toBe(client.ago(0))
    expect((await client.order(changed)).AmazonOrderId).toBe(changed)
  })

  test('returns each order exactly once in pages of any size', async () => {
    const query = `${both}&${created()}`
    const all = ids((await client.list(query)).Orders)
    for (const size of [1, 3, 10, 11]) {
      const seen: string[] = []
      let next: string | undefined
      do {
        const page: { Orders: { AmazonOrderId: string }[]; NextToken?: string } = await client.list(
          next
            ? `${both}&MaxResultsPerPage=${size}&NextToken=${encodeURIComponent(next)}`
            : `${query}&MaxResultsPerPage=${size}`,
        )
        expect(page.Orders.length).toBeLessThanOrEqual(size)
        seen.push(...ids(page.Orders))
        next = page.NextToken
      } while (next)
      expect(seen).toEqual(all)
    }
  })

  test('continues filters without an index where they stopped', async () => {
    const query = `${both}&${created()}&PaymentMethods=Other&MaxResultsPerPage=4`
    const first = await client.list(query)
    const second = await client.list(`${query}&NextToken=${encodeURIComponent(first.NextToken)}`)
    expect(ids([...first.Orders, ...second.Orders])).toEqual(numbered(0, 1, 2, 3, 4, 5, 6, 7))
  })

  test.each<[string, () => string, string]>([
    ['no marketplace', () => created(), 'MarketplaceIds'],
    ['an unknown marketplace', () => `MarketplaceIds=NOWHERE&${created()}`, 'NOWHERE does not exist'],
    ['no period', () => both, 'CreatedAfter or LastUpdatedAfter is required'],
    ['only the end of a period', () => `${both}&CreatedBefore=${client.ago(DAY)}`, 'CreatedAfter or LastUpdatedAfter'],
    ['both periods', () => `${both}&${created()}&LastUpdatedAfter=${client.ago(DAY)}`, 'LastUpdatedAfter cannot be'],
    ['ends of both periods', () => `${both}&${created()}&LastUpdatedBefore=${client.ago(DAY)}`, 'LastUpdatedBefore'],
    [
      'the end of the other period',
      () => `${both}&LastUpdatedAfter=${client.ago(DAY)}&CreatedBefore=${client.ago(DAY)}`,
      'CreatedBefore cannot be combined with LastUpdatedAfter',
    ],
    [
      'a period that ends before it begins',
      () => `${both}&${created(2)}&CreatedBefore=${client.ago(3 * DAY)}`,
      'must not be before',
    ],
    [
      'a period that ends a minute ago',
      () => `${both}&${created()}&CreatedBefore=${client.ago(MINUTE)}`,
      'two minutes',
    ],
    ['a period in the future', () => `${both}&CreatedAfter=${client.ago(-DAY)}`, 'two minutes in the past'],
    ['an update in the future', () => `${both}&LastUpdatedAfter=${client.ago(-DAY)}`, 'two minutes in the past'],
    ['a date that is none', () => `${both}&CreatedAfter=yesterday`, 'ISO 8601'],
    ['an unknown status', () => `${both}&${created()}&OrderStatuses=Delivered`, 'OrderStatuses'],
    ['an unknown channel', () => `${both}&${created()}&FulfillmentChannels=FBA`, 'FulfillmentChannels'],
    ['an unknown payment method', () => `${both}&${created()}&PaymentMethods=Cash`, 'PaymentMethods'],
    [
      'an unknown Easy Ship status',
      () => `${both}&${created()}&EasyShipShipmentStatuses=Gone`,
      'EasyShipShipmentStatuses',
    ],
    [
      'an unknown invoice status',
      () => `${both}&${created()}&ElectronicInvoiceStatuses=Paid`,
      'ElectronicInvoiceStatuses',
    ],
    ['no results', () => `${both}&${created()}&MaxResultsPerPage=0`, 'MaxResultsPerPage'],
    ['too many results', () => `${both}&${created()}&MaxResultsPerPage=101`, 'MaxResultsPerPage'],
    ['an order id of another form', () => `${both}&AmazonOrderIds=1`, 'AmazonOrderIds'],
    ['51 order ids', () => `${both}&AmazonOrderIds=${numbered(...Array(51).keys()).join(',')}`, 'AmazonOrderIds'],
    ...[
      'OrderStatuses=Shipped',
      'FulfillmentChannels=MFN',
      'PaymentMethods=COD',
      'BuyerEmail=a@b.example',
      'LastUpdatedBefore=2026-05-01',
    ].map((other): [string, () => string, string] => [
      `the seller's id and ${other}`,
      () => `${both}&${created()}&SellerOrderId=1&${other}`,
      'cannot be combined with SellerOrderId',
    ]),
    ...['BuyerEmail', 'SellerOrderId', 'StoreChainStoreId', 'ActualFulfillmentSupplySourceId'].map(
      (name): [string, () => string, string] => [
        `a long ${name}`,
        () => `${both}&${created()}&${name}=${'x'.repeat(501)}`,
        name,
      ],
    ),
    ['51 marketplaces', () => `MarketplaceIds=${Array(51).fill(US)}&${created()}`, 'MarketplaceIds'],
    ['a delivery that is no date', () => `${both}&${created()}&EarliestDeliveryDateAfter=soon`, 'ISO 8601'],
    ['IsISPU=maybe', () => `${both}&${created()}&IsISPU=maybe`, 'IsISPU'],
    [
      'deliveries that end before they begin',
      () => `${both}&${created()}&LatestDeliveryDateAfter=2026-05-02&LatestDeliveryDateBefore=2026-05-01`,
      'LatestDeliveryDateBefore',
    ],
    ['a token that is none', () => `${both}&NextToken=abc`, 'NextToken was not issued'],
  ])('refuses %s', async (_what, query, details) => {
    expect(errorOf(await client.get(`${V0}?${query()}`))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      details: expect.stringContaining(details),
    })
  })

  test("refuses a token that was changed, that is another seller's, and that is of another query", async () => {
    const { NextToken } = await client.list(`MarketplaceIds=${US}&${created()}&MaxResultsPerPage=2`)
    const swapped = `${NextToken[0] === 'a' ? 'b' : 'a'}${NextToken.slice(1)}`
    const ask = (token: string, more = `MarketplaceIds=${US}`) => `${V0}?${more}&NextToken=${encodeURIComponent(token)}`
    const notOurs = { status: 400, details: expect.stringContaining('NextToken was not issued') }
    expect(errorOf(await client.get(ask(swapped)))).toMatchObject(notOurs)
    expect(errorOf(await new OrdersClient(souk).get(ask(NextToken)))).toMatchObject(notOurs)
    expect(errorOf(await client.get(ask(NextToken, both)))).toMatchObject({
      status: 400,
      details: 'MarketplaceIds differs from the request that returned this NextToken.',
    })
    expect((await client.get(ask(NextToken))).statusCode).toBe(200)
  })

  test.each([
    ['no content', {}],
    ['a null', null],
    ['a query without marketplaces', { query: {} }],
    ['a query of other types', { query: { MarketplaceIds: 'ATVPDKIKX0DER', OrderStatuses: [{}] } }],
    ['an unknown status', { query: { MarketplaceIds: [US], OrderStatuses: ['x'] } }],
    ['a long list', { query: { MarketplaceIds: Array.from({ length: 100 }, () => US) } }],
    ['a date that is none', { to: 'never' }],
    ['a date that JavaScript does not know', { query: { MarketplaceIds: [US], CreatedAfter: '2016-12-31T23:59:60Z' } }],
    ['a position that is none', { after: [1, {}] }],
    ['a null character', { after: ['2026-01-01T00:00:00.000Z', '\0'] }],
  ])('refuses a token forged with %s', async (_what, changes) => {
    const time = client.ago(DAY)
    const state = { query: { MarketplaceIds: [US], CreatedAfter: time }, to: time, after: [time, 'x'], issuedAt: time }
    const forged = encodePageState('AORDERS', (changes && { ...(hasKeys(changes) && state), ...changes }) as never)
    for (const [path, parameter] of [
      [`${V0}?MarketplaceIds=${US}`, 'NextToken'],
      [`${V2026}?createdAfter=${time}`, 'paginationToken'],
    ]) {
      const response = await client.get(`${path}&${parameter}=${encodeURIComponent(forged)}`)
      expect(errorOf(response)).toMatchObject({
        status: 400,
        details: expect.stringContaining(parameter as string),
      })
    }
  })

  test('lists each order once for a token forged with repeated values', async () => {
    const time = client.ago(DAY * 30)
    const repeated = { MarketplaceIds: Array(50).fill(US), OrderStatuses: Array(50).fill('Shipped') }
    const query = { ...repeated, FulfillmentChannels: Array(50).fill('MFN'), CreatedAfter: time }
    const forged = encodePageState('AORDERS', { query, to: client.ago(DAY), after: [time, ''], issuedAt: time })
    const response = await client.get(
      `${V0}?MarketplaceIds=${Array(50).fill(US)}&NextToken=${encodeURIComponent(forged)}`,
    )
    const { Orders } = response.statusCode === 200 ? response.json().payload : { Orders: [] }
    expect(response.statusCode).toBeLessThan(500)
    expect(new Set(ids(Orders)).size).toBe(Orders.length)
  })

  test.each(['2026-05-01', '2026-05-01T00:00', '2026-05-01T00:00:00'])(
    'continues after a page from %s',
    async (since) => {
      const query = `MarketplaceIds=${US}&CreatedAfter=${since}&MaxResultsPerPage=2`
      const first = await client.list(query)
      const second = await client.list(`${query}&NextToken=${encodeURIComponent(first.NextToken)}`)
      expect([...ids(first.Orders), ...ids(second.Orders)]).toEqual(numbered(0, 1, 2, 3))
    },
  )

  test('lists the orders of a seller in fifty marketplaces', async () => {
    const marketplaces = Array.from({ length: 50 }, (_, index) => ({
      marketplaceId: `MANY${index}`,
      name: `Marketplace ${index}`,
      countryCode: 'CH',
      currencyCode: 'CHF',
      languageCode: 'de_CH',
      domainName: `many-${index}.example`,
    }))
    await putResources(souk, 'marketplaces', marketplaces)
    const named = marketplaces.map(({ marketplaceId }) => marketplaceId)
    const many = new OrdersClient(souk, await registerSeller(souk, 'AMANYPLACES', named), 'AMANYPLACES')
    const orderId = await many.place({ marketplaceId: 'MANY49', currencyCode: 'CHF' })
    const { Orders } = await many.list(`MarketplaceIds=${named}&${created()}`)
    expect(ids(Orders)).toEqual([orderId])
  })

  test("returns no other seller's orders, and refuses marketplaces of others", async () => {
    const other = new OrdersClient(souk, souk.demo.otherSeller.refreshToken)
    const { Orders } = await other.list(`MarketplaceIds=${US}&${created(300)}`)
    expect(ids(Orders).filter((orderId) => orderId.startsWith('920'))).toEqual([])
    expect(errorOf(await other.get(`${V0}?MarketplaceIds=${DE}&${created()}`))).toMatchObject({ status: 403 })
  })

  test('returns no order that did not change for two years', async () => {
    const old = client.ago(3 * 365 * DAY)
    const orderId = await client.place({ purchasedAt: old, updatedAt: old, status: 'Shipped' })
    const { Orders } = await client.list(`MarketplaceIds=${US}&CreatedAfter=2000-01-01`)
    expect(ids(Orders)).toEqual(numbered(0, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    expect((await client.get(`${V0}/${orderId}`)).statusCode).toBe(404)
  })
})
