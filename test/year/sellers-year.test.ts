import { beforeAll, describe, expect, test } from 'vitest'
import { busEvents, eventBridge, type Notification, receive, sqs } from '../support/notifications.ts'
import { HOUR, registerSeller } from '../support/seller-client.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { testDialect } from '../support/test-dialect.ts'
import { type OrderStatus, refundOf, returnedOf, shippedOf, statusOf, sum, toAmount, totalOf } from './ledger.ts'
import { SdkSeller } from './sdk-seller.ts'
import { PRODUCTS, Year } from './year.ts'

const SELLER = 'AYEARSELLER'
const QUEUE = 'the-year'
const WEEKS = 52

// Another year on each database: playing both on both finds nothing more, and takes twice as long.
const SEEDS = { sqlite: 20260601, postgres: 7 }

describe("a seller's year through the vendor's SDK adds up", () => {
  let souk: TestSouk
  let seller: SdkSeller
  let year: Year
  const received: Notification[] = []
  beforeAll(async () => {
    souk = await startTestSouk()
    seller = new SdkSeller(souk, SELLER, await registerSeller(souk, SELLER))
    await seller.subscribe(sqs(QUEUE), {
      ORDER_CHANGE: '1.0',
      ANY_OFFER_CHANGED: '1.0',
      FEED_PROCESSING_FINISHED: '2020-09-04',
      REPORT_PROCESSING_FINISHED: '2020-09-04',
    })
    await seller.subscribe(eventBridge(), { LISTINGS_ITEM_MFN_QUANTITY_CHANGE: '1.0' })
    year = new Year(souk, seller, SEEDS[testDialect])
    await year.open()
    for (let week = 1; week <= WEEKS; week++) {
      await year.week(week)
      received.push(...(await receive(souk.queueUrl, QUEUE)))
    }
    souk.clock.advance(HOUR)
  })

  const ofType = (type: string) =>
    received.filter((one) => one.NotificationType === type || one.notificationType === type)

  test('it was a year with sales, lost sales, cancellations, two packages, returns, ratings and reviews', () => {
    const orders = year.ledger.all()
    expect(orders.length).toBeGreaterThan(100)
    expect(year.ledger.lostSales).toBeGreaterThan(0)
    expect(year.ledger.inStatus('Canceled').length).toBeGreaterThan(0)
    expect(orders.filter(({ statuses }) => statuses.includes('PartiallyShipped')).length).toBeGreaterThan(5)
    expect(orders.filter((order) => returnedOf(order) > 0).length).toBeGreaterThan(5)
    expect(orders.filter(({ items }) => items.length > 1).length).toBeGreaterThan(10)
    expect(orders.filter(({ rating }) => rating !== undefined).length).toBeGreaterThan(5)
    expect(orders.filter(({ isSolicited }) => isSolicited).length).toBeGreaterThan(50)
  })

  test('stock and prices are those of the ledger, in the listings and in their report', async () => {
    const rows = await year.reportOfYear('GET_MERCHANT_LISTINGS_ALL_DATA')
    expect(rows).toHaveLength(PRODUCTS)
    for (const { sku, asin, priceMinor } of year.ledger.products.values()) {
      const quantity = year.ledger.stockOf(sku)
      expect(await seller.item(sku)).toEqual({ asin, quantity, amount: toAmount(priceMinor) })
      const row = rows.find((one) => one['seller-sku'] === sku)
      expect(row).toMatchObject({ asin1: asin, quantity: String(quantity), price: toAmount(priceMinor) })
    }
  })

  test('pieces are conserved: what was stocked is on the shelf or in an order of the report', async () => {
    const rows = await year.reportOfYear('GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL')
    for (const { sku, stocked } of year.ledger.products.values()) {
      const sold = rows.filter((row) => row.sku === sku && row['order-status'] !== 'Cancelled')
      const { quantity } = await seller.item(sku)
      expect(quantity + sum(sold, (row) => Number(row.quantity)), sku).toBe(stocked)
    }
  })

  test('both versions of the orders API have every order with its status, pieces and price', async () => {
    const orders = await seller.orders(year.startedAt)
    expect(orders).toHaveLength(year.ledger.orders.size)
    for (const { amazonOrderId, orderStatus, numberOfItemsShipped, orderTotal } of orders) {
      const order = year.ledger.orders.get(amazonOrderId)
      if (!order) throw new Error(`Unknown order ${amazonOrderId}`)
      expect([orderStatus, numberOfItemsShipped], amazonOrderId).toEqual([statusOf(order), shippedOf(order)])
      if (orderStatus !== 'Canceled') expect(orderTotal?.amount).toBe(toAmount(totalOf(order)))
    }
    const count = (status: OrderStatus) => year.ledger.inStatus(status).length
    const {
      SHIPPED = 0,
      CANCELLED = 0,
      UNSHIPPED = 0,
      PARTIALLY_SHIPPED = 0,
    } = await seller.countOrders(year.startedAt)
    expect([SHIPPED, CANCELLED, UNSHIPPED, PARTIALLY_SHIPPED]).toEqual([
      count('Shipped'),
      count('Canceled'),
      count('Unshipped'),
      count('PartiallyShipped'),
    ])
  })

  test('the returns report has every returned piece and every refund', async () => {
    const rows = await year.reportOfYear('GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE')
    for (const order of year.ledger.all()) {
      const own = rows.filter((row) => row['Order ID'] === order.orderId)
      expect(
        sum(own, (row) => Number(row['Return quantity'])),
        order.orderId,
      ).toBe(returnedOf(order))
      const refunded = sum(own, (row) => Math.round(Number(row['Refunded Amount']) * 100))
      expect(refunded, order.orderId).toBe(refundOf(order))
    }
    expect(new Set(rows.map((row) => row['Order ID'])).size).toBe(
      year.ledger.all().filter((order) => returnedOf(order) > 0).length,
    )
  })

  test('the feedback report has the last rating of every buyer who rated', async () => {
    const rows = await year.reportOfYear('GET_SELLER_FEEDBACK_DATA')
    const rated = year.ledger.all().filter(({ rating }) => rating !== undefined)
    const byOrder = (one: [string | undefined, number], other: [string | undefined, number]) =>
      String(one[0]).localeCompare(String(other[0]))
    expect(
      rows.map((row): [string | undefined, number] => [row['Order ID'], Number(row.Rating)]).sort(byOrder),
    ).toEqual(rated.map(({ orderId, rating = 0 }): [string, number] => [orderId, rating]).sort(byOrder))
  })

  test('subscribers saw every status of every order, once and in order', () => {
    const seen = new Map<string, string[]>()
    for (const { Payload } of ofType('ORDER_CHANGE')) {
      const { OrderChangeNotification: change } = Payload as {
        OrderChangeNotification: { AmazonOrderId: string; Summary: { OrderStatus: string } }
      }
      const statuses = seen.get(change.AmazonOrderId) ?? []
      seen.set(change.AmazonOrderId, [...statuses, change.Summary.OrderStatus])
    }
    const expected = year.ledger.all().map(({ orderId, statuses }): [string, string[]] => [orderId, statuses])
    expect(seen).toEqual(new Map(expected))
  })

  test('subscribers saw every quantity of every listing, in order', async () => {
    const seen = new Map<string, number[]>()
    for (const { detail } of await busEvents(souk)) {
      const { Sku, Quantity } = detail.Payload as { Sku: string; Quantity: number }
      seen.set(Sku, [...(seen.get(Sku) ?? []), Quantity])
    }
    const expected = [...year.ledger.products.values()].map(({ sku, quantities }): [string, number[]] => [
      sku,
      quantities,
    ])
    expect(seen).toEqual(new Map(expected))
  })

  test('the last notification of each market has both prices as they are', () => {
    const last = new Map<string, unknown>()
    for (const { Payload } of ofType('ANY_OFFER_CHANGED')) {
      const { AnyOfferChangedNotification: change } = Payload as {
        AnyOfferChangedNotification: {
          OfferChangeTrigger: { ASIN: string }
          Offers: { SellerId: string; ListingPrice: { Amount: number } }[]
        }
      }
      const prices = change.Offers.map(({ SellerId, ListingPrice }) => [SellerId, ListingPrice.Amount])
      last.set(change.OfferChangeTrigger.ASIN, Object.fromEntries(prices))
    }
    for (const { sku, asin, priceMinor } of year.ledger.products.values()) {
      const own = year.ledger.stockOf(sku) > 0 ? { [SELLER]: priceMinor / 100 } : {}
      expect(last.get(asin), sku).toEqual({ ...own, ZCOMPETITOR: (year.competitors.get(asin) ?? 0) / 100 })
    }
  })

  test('every feed and report was announced once', () => {
    expect(ofType('FEED_PROCESSING_FINISHED')).toHaveLength(year.feeds)
    // The reports of these tests came after the year.
    expect(ofType('REPORT_PROCESSING_FINISHED')).toHaveLength(WEEKS / 4)
  })
})
