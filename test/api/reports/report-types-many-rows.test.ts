import { beforeAll, describe, expect, test } from 'vitest'
import type { Feedback } from '../../../src/marketplace/trade/feedback.ts'
import type { Order } from '../../../src/marketplace/trade/orders.ts'
import type { Return } from '../../../src/marketplace/trade/returns.ts'
import { buildOrder } from '../../support/orders.ts'
import {
  addSeller,
  FEEDBACK,
  parseFlatFile,
  putOperatorData,
  RETURNS,
  RETURNS_FLAT_FILE,
  type ReportsClient,
} from '../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'
import { childrenOf, parseXml, type XmlElement } from '../../support/xml.ts'

// Reports are read in pages of 1,000 rows. Orders and returns have one item each, except one that has three: its first
// two items are the last rows of a page, its third is the first row of the next.
const SELLER = 'A3MANY'
const COUNT = 2_100
const AT_PAGE_END = 998

const itemCount = (index: number) => (index === AT_PAGE_END ? 3 : 1)
const indexes = Array.from({ length: COUNT }, (_, index) => index)
const orderId = (index: number) => `900-0000000-${String(index).padStart(7, '0')}`
const rmaId = (index: number) => `R-${String(index).padStart(7, '0')}`
// Many rows share a time, also at the page ends.
const timeOf = (index: number) => `2026-05-20T10:${String(Math.floor(index / 100)).padStart(2, '0')}:00.000Z`
const itemIds = (index: number) => Array.from({ length: itemCount(index) }, (_, item) => String(item + 1))

/** Each row: the index of its order or return, and its item. */
const expected = indexes.flatMap((index) => itemIds(index).map((itemId) => `${index} ${itemId}`))
const indexOf = (id: string | undefined) => Number(id?.slice(-7))

let souk: TestSouk
let client: ReportsClient

beforeAll(async () => {
  souk = await startTestSouk()
  client = await addSeller(souk, SELLER)
  const orders = indexes.map(
    (index): Order =>
      buildOrder(souk.clock.now(), {
        sellerId: SELLER,
        orderId: orderId(index),
        purchasedAt: timeOf(index),
        updatedAt: timeOf(index),
        items: itemIds(index).map((orderItemId) => ({
          orderItemId,
          sku: `SKU-${String(index).padStart(7, '0')}`,
          asin: `B00000000${orderItemId}`,
          title: orderItemId,
          quantity: 1,
          priceMinor: 100,
        })),
      }),
  )
  const returns = indexes.map(
    (index): Return => ({
      sellerId: SELLER,
      rmaId: rmaId(index),
      orderId: orderId(index),
      requestedAt: timeOf(index),
      status: 'Approved',
      items: itemIds(index).map((orderItemId) => ({ orderItemId, quantity: 1, reasonCode: 'CR-DEFECTIVE' })),
    }),
  )
  const feedback = indexes.map(
    (index): Feedback => ({
      sellerId: SELLER,
      orderId: orderId(index),
      submittedAt: timeOf(index),
      rating: 5,
      comment: '',
    }),
  )
  await putOperatorData(souk, { orders, returns, feedback })
})

const text = (element: XmlElement, name: string) => childrenOf(element, name)[0]?.text

describe('a report with more rows than one page', () => {
  test('is set up so that the items of one return are on two pages', () => {
    expect(expected.slice(997, 1002)).toEqual(['997 1', '998 1', '998 2', '998 3', '999 1'])
  })

  test(`contains every return once, with all its items: ${RETURNS}`, async () => {
    const [message] = childrenOf(parseXml(await client.text({ reportType: RETURNS })), 'Message')
    const returns = childrenOf(message, 'return_details')
    expect(returns.map((one) => indexOf(text(one, 'amazon_rma_id')))).toEqual(indexes)
    const rows = returns.flatMap((one) =>
      childrenOf(one, 'item_details').map(
        (item) => `${indexOf(text(one, 'amazon_rma_id'))} ${text(item, 'item_name')}`,
      ),
    )
    expect(rows).toEqual(expected)
  })

  test('is complete if it has exactly one page of rows', async () => {
    const window = { dataStartTime: timeOf(1000), dataEndTime: timeOf(1999) }
    const [message] = childrenOf(parseXml(await client.text({ reportType: RETURNS, ...window })), 'Message')
    const returns = childrenOf(message, 'return_details')
    expect(returns.map((one) => indexOf(text(one, 'amazon_rma_id')))).toEqual(indexes.slice(1000, 2000))
    const [, ...rows] = parseFlatFile(await client.text({ reportType: RETURNS_FLAT_FILE, ...window }))
    expect(rows.map((row) => indexOf(row[4]))).toEqual(indexes.slice(1000, 2000))
  })

  test('contains every order once, with all its items, in XML', async () => {
    const envelope = parseXml(await client.text({ reportType: 'GET_XML_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL' }))
    const orders = childrenOf(envelope, 'Message').flatMap((message) => childrenOf(message, 'Order'))
    const rows = orders.flatMap((order) =>
      childrenOf(order, 'OrderItem').map(
        (item) => `${indexOf(text(order, 'AmazonOrderID'))} ${text(item, 'AmazonOrderItemCode')}`,
      ),
    )
    expect(orders).toHaveLength(COUNT)
    expect(rows).toEqual(expected)
  })

  test.each([
    [RETURNS_FLAT_FILE, 'Amazon RMA ID', 'Item Name'],
    ['GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', 'amazon-order-id', 'product-name'],
    ['GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL', 'amazon-order-id', 'product-name'],
  ])('contains every line once and one header line: %s', async (reportType, idName, itemName) => {
    const [headings = [], ...rows] = parseFlatFile(await client.text({ reportType }))
    const value = (row: string[], name: string) => row[headings.indexOf(name)]
    expect(rows.map((row) => `${indexOf(value(row, idName))} ${value(row, itemName)}`)).toEqual(expected)
  })

  test(`contains every line once and one header line: ${FEEDBACK}`, async () => {
    const [, ...rows] = parseFlatFile(await client.text({ reportType: FEEDBACK }))
    expect(rows.map((row) => indexOf(row[4]))).toEqual(indexes)
  })
})
