import { beforeAll, describe, expect, test } from 'vitest'
import type { Order, OrderItem } from '../../../src/marketplace/orders.ts'
import { buildOrder } from '../../support/orders.ts'
import { addSeller, DE, JP, parseFlatFile, type ReportsClient, tell, US } from '../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const ALL = 'GET_MERCHANT_LISTINGS_ALL_DATA'
const ACTIVE = 'GET_MERCHANT_LISTINGS_DATA'
const OPEN = 'GET_FLAT_FILE_OPEN_LISTINGS_DATA'
const INACTIVE = 'GET_MERCHANT_LISTINGS_INACTIVE_DATA'
const SELLER = 'A3LISTINGS'
const NEIGHBOUR = 'A4LISTINGS'

let souk: TestSouk
let client: ReportsClient

const item = (orderItemId: string, overrides: Partial<OrderItem> = {}): OrderItem => ({
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
  await addSeller(souk, NEIGHBOUR)
  await tell(souk, {
    orders: [
      // Sold long ago: what is for sale does not depend on when something was sold.
      order(1, { purchasedAt: '2024-01-02T03:04:05.678Z', items: [item('1', { quantity: 2, priceMinor: 10_000 })] }),
      order(2, {
        purchasedAt: '2026-05-01T00:00:00.000Z',
        items: [item('1'), item('2', { sku: 'BOOT-2', asin: 'B0TEST0002', title: 'Boot', priceMinor: 12_950 })],
      }),
      order(3, { marketplaceId: DE, currencyCode: 'EUR', items: [item('1', { sku: 'SCHUH-1', priceMinor: 4500 })] }),
      order(4, { marketplaceId: JP, currencyCode: 'JPY', items: [item('1', { sku: 'KUTSU-1' })] }),
      order(2, { sellerId: NEIGHBOUR, items: [item('1', { sku: 'NOT-YOURS' }), item('2', { title: 'Not yours' })] }),
    ],
  })
})

const rowsOf = (text: string) => parseFlatFile(text).map((row) => row.join('|'))
const HEADINGS =
  'item-name item-description listing-id seller-sku price quantity open-date image-url item-is-marketplace ' +
  'product-id-type zshop-shipping-fee item-note item-condition zshop-category1 zshop-browse-path ' +
  'zshop-storefront-feature asin1 asin2 asin3 will-ship-internationally expedited-shipping zshop-boldface product-id ' +
  'bid-for-featured-placement add-delete pending-quantity fulfillment-channel'
const BOOT = 'Boot|||BOOT-2|129.50||2026-05-01T00:00:00Z||y|1|||11||||B0TEST0002||||||B0TEST0002|||0|DEFAULT'
const SHOE = 'Shoe|||SHOE-1|50.00||2024-01-02T03:04:05Z||y|1|||11||||B0TEST0001||||||B0TEST0001|||0|DEFAULT'

describe('reports of listings', () => {
  test(`${ALL} has a line for each product that the seller has sold, with its status`, async () => {
    expect(rowsOf(await client.text({ reportType: ALL }))).toEqual([
      `${HEADINGS} merchant-shipping-group status`.replaceAll(' ', '|'),
      `${BOOT}||Active`,
      `${SHOE}||Active`,
    ])
  })

  test(`${ACTIVE} has the same lines, without a status`, async () => {
    expect(rowsOf(await client.text({ reportType: ACTIVE }))).toEqual([HEADINGS.replaceAll(' ', '|'), BOOT, SHOE])
  })

  test(`${OPEN} is short`, async () => {
    expect(rowsOf(await client.text({ reportType: OPEN }))).toEqual([
      'sku|asin|price|quantity',
      'BOOT-2|B0TEST0002|129.50|',
      'SHOE-1|B0TEST0001|50.00|',
    ])
  })

  test(`${INACTIVE} has nothing to tell: all listings are active`, async () => {
    expect((await client.finished({ reportType: INACTIVE })).processingStatus).toBe('CANCELLED')
  })

  test('hold the marketplaces that were asked for, with prices as their currency counts them', async () => {
    const [, ...german] = rowsOf(await client.text({ reportType: OPEN, marketplaceIds: [DE] }))
    expect(german).toEqual(['SCHUH-1|B0TEST0001|45.00|'])
    const [, ...japanese] = rowsOf(await client.text({ reportType: OPEN, marketplaceIds: [JP] }))
    expect(japanese).toEqual(['KUTSU-1|B0TEST0001|5000|'])
  })

  test('show the present, whatever time is asked for', async () => {
    const window = { dataStartTime: '2020-01-01', dataEndTime: '2020-01-02' }
    expect(await client.text({ reportType: ALL, ...window })).toBe(await client.text({ reportType: ALL }))
  })
})
