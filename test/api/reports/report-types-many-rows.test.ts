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

// Reports are read in pages of a thousand rows. Orders and returns have one item each, but for one that has three: the
// first two are the last rows of a page, the third is the first of the next.
const SELLER = 'A3MANY'
const COUNT = 2_100
const AT_THE_EDGE = 998

const itemCount = (index: number) => (index === AT_THE_EDGE ? 3 : 1)
const indexes = Array.from({ length: COUNT }, (_, index) => index)
const orderId = (index: number) => `900-0000000-${String(index).padStart(7, '0')}`
const rmaId = (index: number) => `R-${String(index).padStart(7, '0')}`
// Many share a moment, at the edges as well.
const moment = (index: number) => `2026-05-20T10:${String(Math.floor(index / 100)).padStart(2, '0')}:00.000Z`
const itemIds = (index: number) => Array.from({ length: itemCount(index) }, (_, item) => String(item + 1))

/** What each row tells: which one it is of, and of which item. */
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
        purchasedAt: moment(index),
        updatedAt: moment(index),
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
      requestedAt: moment(index),
      status: 'Approved',
      items: itemIds(index).map((orderItemId) => ({ orderItemId, quantity: 1, reasonCode: 'CR-DEFECTIVE' })),
    }),
  )
  const feedback = indexes.map(
    (index): Feedback => ({
      sellerId: SELLER,
      orderId: orderId(index),
      submittedAt: moment(index),
      rating: 5,
      comment: '',
    }),
  )
  await putOperatorData(souk, { orders, returns, feedback })
})

const text = (element: XmlElement, name: string) => childrenOf(element, name)[0]?.text

describe('a report of more rows than are read at a time', () => {
  test('is laid out here so that the items of one return lie on two pages', () => {
    expect(expected.slice(997, 1002)).toEqual(['997 1', '998 1', '998 2', '998 3', '999 1'])
  })

  test(`tells of every return once, with all of its items: ${RETURNS}`, async () => {
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

  test('is whole when it has exactly as many rows as are read at a time', async () => {
    const window = { dataStartTime: moment(1000), dataEndTime: moment(1999) }
    const [message] = childrenOf(parseXml(await client.text({ reportType: RETURNS, ...window })), 'Message')
    const returns = childrenOf(message, 'return_details')
    expect(returns.map((one) => indexOf(text(one, 'amazon_rma_id')))).toEqual(indexes.slice(1000, 2000))
    const [, ...rows] = parseFlatFile(await client.text({ reportType: RETURNS_FLAT_FILE, ...window }))
    expect(rows.map((row) => indexOf(row[4]))).toEqual(indexes.slice(1000, 2000))
  })

  test('tells of every order once, with all of its items, in XML', async () => {
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
  ])('has every line once, and the headings once: %s', async (reportType, idName, itemName) => {
    const [headings = [], ...rows] = parseFlatFile(await client.text({ reportType }))
    const value = (row: string[], name: string) => row[headings.indexOf(name)]
    expect(rows.map((row) => `${indexOf(value(row, idName))} ${value(row, itemName)}`)).toEqual(expected)
  })

  test(`has every line once, and the headings once: ${FEEDBACK}`, async () => {
    const [, ...rows] = parseFlatFile(await client.text({ reportType: FEEDBACK }))
    expect(rows.map((row) => indexOf(row[4]))).toEqual(indexes)
  })
})
