import { beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '../../../src/marketplace/trade/orders.ts'
import { buildOrder } from '../../support/orders.ts'
import {
  addSeller,
  DE,
  DOCUMENTS,
  JP,
  parseFlatFile,
  putOperatorData,
  type ReportsClient,
  TO_SHIP,
  US,
} from '../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'
import { outline, parseXml } from '../../support/xml.ts'

const BY_ORDER_DATE = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL'
const BY_LAST_UPDATE = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL'
const XML = 'GET_XML_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL'
const SELLER = 'A3ORDERS'
const OTHER_SELLER = 'A4ORDERS'

let souk: TestSouk
let client: ReportsClient

const item = (orderItemId: string, overrides = {}) => ({
  orderItemId,
  sku: 'SHOE-1',
  asin: 'B0TEST0001',
  title: 'Shoe',
  quantity: 1,
  priceMinor: 5000,
  ...overrides,
})
const order = (number: number, overrides: Partial<Order>) =>
  buildOrder(souk.clock.now(), { sellerId: SELLER, orderId: `900-0000000-000000${number}`, ...overrides })

beforeAll(async () => {
  souk = await startTestSouk()
  client = await addSeller(souk, SELLER, [US, DE, JP])
  await addSeller(souk, OTHER_SELLER)
  const shipped = order(1, {
    purchasedAt: '2026-05-10T08:00:00.500Z',
    updatedAt: '2026-05-14T09:00:00.000Z',
    shipServiceLevel: 'Expedited',
    shipTo: { city: 'Portland', stateOrRegion: 'OR', postalCode: '97201', countryCode: 'US' },
    items: [
      item('1', { quantity: 2, quantityShipped: 2, priceMinor: 17980, taxMinor: 1438, shippingPriceMinor: 790 }),
      item('2', { sku: 'BOOT-2', asin: 'B0TEST0002', title: 'Boot', priceMinor: 12950 }),
    ],
  })
  await putOperatorData(souk, {
    orders: [
      shipped,
      order(2, {
        status: 'Canceled',
        fulfillmentChannel: 'AFN',
        purchasedAt: '2026-05-11T00:00:00.000Z',
        updatedAt: '2026-05-13T00:00:00.000Z',
        items: [item('1')],
      }),
      order(3, {
        status: 'PartiallyShipped',
        purchasedAt: '2026-05-12T00:00:00.000Z',
        updatedAt: '2026-05-12T01:00:00.000Z',
        latestShipAt: '2026-05-15T00:00:00.000Z',
        shipTo: { city: 'Salem', postalCode: '97301', countryCode: 'US' },
        items: [item('1', { quantity: 3, quantityShipped: 1 })],
      }),
      order(4, {
        status: 'Unshipped',
        purchasedAt: '2026-05-13T00:00:00.000Z',
        updatedAt: '2026-05-13T00:00:01.000Z',
        items: [item('1')],
      }),
      order(5, { marketplaceId: DE, currencyCode: 'EUR', status: 'Unshipped', items: [item('1')] }),
      order(6, { marketplaceId: JP, currencyCode: 'JPY', items: [item('1', { taxMinor: 400 })] }),
      { ...shipped, sellerId: OTHER_SELLER, items: [item('1', { title: 'Not yours' }), item('3')] },
      order(7, { sellerId: OTHER_SELLER, status: 'Unshipped' }),
    ],
  })
})

const rowsOf = (text: string) => parseFlatFile(text).map((row) => row.join('|'))
const numbers = (text: string) =>
  parseFlatFile(text)
    .slice(1)
    .map(([orderId]) => Number(orderId?.slice(-7)))

describe(BY_ORDER_DATE, () => {
  test('has a header line and one line per order item', async () => {
    const [headings, ...rows] = rowsOf(await client.text({ reportType: BY_ORDER_DATE }))
    expect(headings?.replaceAll('|', ' ')).toBe(
      'amazon-order-id merchant-order-id purchase-date last-updated-date order-status fulfillment-channel ' +
        'sales-channel order-channel url ship-service-level product-name sku asin item-status quantity currency ' +
        'item-price item-tax shipping-price shipping-tax gift-wrap-price gift-wrap-tax item-promotion-discount ' +
        'ship-promotion-discount ship-city ship-state ship-postal-code ship-country promotion-ids is-business-order ' +
        'purchase-order-number price-designation',
    )
    expect(rows).toEqual([
      '900-0000000-0000001||2026-05-10T08:00:00Z|2026-05-14T09:00:00Z|Shipped|Merchant|Amazon.com|||Expedited|Shoe|SHOE-1|B0TEST0001|Shipped|2|USD|179.80|14.38|7.90||||||Portland|OR|97201|US||false||',
      '900-0000000-0000001||2026-05-10T08:00:00Z|2026-05-14T09:00:00Z|Shipped|Merchant|Amazon.com|||Expedited|Boot|BOOT-2|B0TEST0002|Shipped|1|USD|129.50|0.00|0.00||||||Portland|OR|97201|US||false||',
      '900-0000000-0000002||2026-05-11T00:00:00Z|2026-05-13T00:00:00Z|Cancelled|Amazon|Amazon.com|||Standard|Shoe|SHOE-1|B0TEST0001|Cancelled|1|USD|50.00|0.00|0.00|||||||||||false||',
      '900-0000000-0000003||2026-05-12T00:00:00Z|2026-05-12T01:00:00Z|PartiallyShipped|Merchant|Amazon.com|||Standard|Shoe|SHOE-1|B0TEST0001|Unshipped|3|USD|50.00|0.00|0.00||||||Salem||97301|US||false||',
      '900-0000000-0000004||2026-05-13T00:00:00Z|2026-05-13T00:00:01Z|Unshipped|Merchant|Amazon.com|||Standard|Shoe|SHOE-1|B0TEST0001|Unshipped|1|USD|50.00|0.00|0.00|||||||||||false||',
    ])
  })

  test('contains only the requested marketplaces, with the decimals of their currency', async () => {
    expect(numbers(await client.text({ reportType: BY_ORDER_DATE, marketplaceIds: [DE] }))).toEqual([5])
    const [, japanese] = rowsOf(await client.text({ reportType: BY_ORDER_DATE, marketplaceIds: [JP] }))
    expect(japanese).toContain('|Amazon.co.jp|')
    expect(japanese).toContain('|JPY|5000|400|0|')
  })

  test('filters by the time of purchase, both ends inclusive', async () => {
    const window = { dataStartTime: '2026-05-10T08:00:00.501Z', dataEndTime: '2026-05-13' }
    expect(numbers(await client.text({ reportType: BY_ORDER_DATE, ...window }))).toEqual([2, 3, 4])
  })
})

describe(BY_LAST_UPDATE, () => {
  test('has the same lines, ordered by the last update', async () => {
    const byOrderDate = rowsOf(await client.text({ reportType: BY_ORDER_DATE }))
    const byLastUpdate = rowsOf(await client.text({ reportType: BY_LAST_UPDATE }))
    expect(byLastUpdate[0]).toBe(byOrderDate[0])
    expect([...byLastUpdate].sort()).toEqual([...byOrderDate].sort())
    expect(numbers(await client.text({ reportType: BY_LAST_UPDATE }))).toEqual([3, 2, 4, 1, 1])
  })

  test('filters by the last update, both ends inclusive', async () => {
    const window = { dataStartTime: '2026-05-13', dataEndTime: '2026-05-13T00:00:01Z' }
    expect(numbers(await client.text({ reportType: BY_LAST_UPDATE, ...window }))).toEqual([2, 4])
  })
})

describe(XML, () => {
  test('is an envelope with one message per order', async () => {
    const price = (principal: string, tax: string, shipping: string) => [
      'ItemPrice',
      [
        [
          'Component',
          [
            ['Type', 'Principal'],
            ['Amount', principal],
          ],
        ],
        [
          'Component',
          [
            ['Type', 'Tax'],
            ['Amount', tax],
          ],
        ],
        [
          'Component',
          [
            ['Type', 'Shipping'],
            ['Amount', shipping],
          ],
        ],
      ],
    ]
    const text = await client.text({ reportType: XML, dataEndTime: '2026-05-11' })
    const [, [header, type, first, second, ...more]] = outline(parseXml(text)) as [string, unknown[]]
    expect([header, type]).toEqual([
      ['Header', [['DocumentVersion', '1.00']]],
      ['MessageType', 'AllOrdersReport'],
    ])
    expect(first).toEqual([
      'Message',
      [
        [
          'Order',
          [
            ['AmazonOrderID', '900-0000000-0000001'],
            ['PurchaseDate', '2026-05-10T08:00:00Z'],
            ['LastUpdatedDate', '2026-05-14T09:00:00Z'],
            ['OrderStatus', 'Shipped'],
            ['SalesChannel', 'Amazon.com'],
            [
              'FulfillmentData',
              [
                ['FulfillmentChannel', 'Merchant'],
                ['ShipServiceLevel', 'Expedited'],
                [
                  'Address',
                  [
                    ['City', 'Portland'],
                    ['State', 'OR'],
                    ['PostalCode', '97201'],
                    ['Country', 'US'],
                  ],
                ],
              ],
            ],
            ['IsBusinessOrder', 'false'],
            [
              'OrderItem',
              [
                ['AmazonOrderItemCode', '1'],
                ['ASIN', 'B0TEST0001'],
                ['SKU', 'SHOE-1'],
                ['ItemStatus', 'Shipped'],
                ['ProductName', 'Shoe'],
                ['Quantity', '2'],
                price('179.80', '14.38', '7.90'),
              ],
            ],
            [
              'OrderItem',
              [
                ['AmazonOrderItemCode', '2'],
                ['ASIN', 'B0TEST0002'],
                ['SKU', 'BOOT-2'],
                ['ItemStatus', 'Shipped'],
                ['ProductName', 'Boot'],
                ['Quantity', '1'],
                price('129.50', '0.00', '0.00'),
              ],
            ],
          ],
        ],
      ],
    ])
    expect(JSON.stringify(second)).toContain('900-0000000-0000002')
    expect(more).toEqual([])
  })

  test('has the currency of each amount', async () => {
    const text = await client.text({ reportType: XML, marketplaceIds: [JP] })
    parseXml(text)
    expect(text).toContain('<Amount currency="JPY">5000</Amount>')
  })
})

describe(TO_SHIP, () => {
  test('has one line per item of each unshipped order', async () => {
    const response = await client.post('/tokens/2021-03-01/restrictedDataToken', {
      restrictedResources: [{ method: 'GET', path: `${DOCUMENTS}/{reportDocumentId}` }],
    })
    const text = await client.text({ reportType: TO_SHIP }, response.json().restrictedDataToken)
    const [headings, ...rows] = rowsOf(text)
    expect(headings?.replaceAll('|', ' ')).toBe(
      'order-id order-item-id purchase-date payments-date reporting-date promise-date buyer-email buyer-name ' +
        'buyer-phone-number sku product-name quantity-purchased quantity-shipped quantity-to-ship ship-service-level ' +
        'recipient-name ship-address-1 ship-address-2 ship-address-3 ship-city ship-state ship-postal-code ship-country',
    )
    expect(rows).toEqual([
      '900-0000000-0000003|1|2026-05-12T00:00:00Z|2026-05-12T00:00:00Z|2026-05-12T01:00:00Z|2026-05-15T00:00:00Z||||SHOE-1|Shoe|3|1|2|Standard|||||Salem||97301|US',
      '900-0000000-0000004|1|2026-05-13T00:00:00Z|2026-05-13T00:00:00Z|2026-05-13T00:00:01Z|||||SHOE-1|Shoe|1|0|1|Standard||||||||',
    ])
  })
})
