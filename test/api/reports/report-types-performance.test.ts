import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '../../../src/marketplace/trade/orders.ts'
import { buildOrder } from '../../support/orders.ts'
import { addSeller, DAY, DE, putOperatorData, type ReportsClient, US } from '../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const TYPE = 'GET_V2_SELLER_PERFORMANCE_REPORT'
const SELLER = 'A3HEALTH'
const OTHER_SELLER = 'A4HEALTH'

// The public models are not part of the project. They are optional, in a folder next to the checkout.
const schema = new URL('../../../../shared/models/reports/accountHealthReport-2020-11-18.json', import.meta.url)
const present = existsSync(schema)
if (!present)
  console.warn('skipped: conformance with the public schema of this report, which is not beside this checkout')

let souk: TestSouk
let client: ReportsClient

const daysAgo = (days: number) => new Date(souk.clock.now().getTime() - days * DAY).toISOString()
const orderId = (number: number) => `900-0000000-00000${String(number).padStart(2, '0')}`

/** An order placed that many days ago, shipped after one day and delivered after two, both on time. */
const order = (number: number, days: number, overrides: Partial<Order> = {}) =>
  buildOrder(souk.clock.now(), {
    sellerId: SELLER,
    orderId: orderId(number),
    purchasedAt: daysAgo(days),
    latestShipAt: daysAgo(days - 1),
    shippedAt: daysAgo(days - 1),
    latestDeliveryAt: daysAgo(days - 2),
    deliveredAt: daysAgo(days - 2),
    items: [
      { orderItemId: '10000000000001', sku: 'SHOE', asin: 'B0TEST0001', title: 'Shoe', quantity: 3, priceMinor: 1 },
    ],
    ...overrides,
  })
const feedback = (number: number, rating: number, sellerId = SELLER) => ({
  sellerId,
  orderId: orderId(number),
  submittedAt: daysAgo(1),
  rating,
  comment: '',
})
const claim = (rmaId: string, number: number, aToZClaim: boolean) => ({
  sellerId: SELLER,
  rmaId,
  orderId: orderId(number),
  requestedAt: daysAgo(1),
  status: 'Approved' as const,
  aToZClaim,
  items: [{ orderItemId: '10000000000001', quantity: 1, reasonCode: 'CR-DEFECTIVE' }],
})

beforeAll(async () => {
  souk = await startTestSouk()
  client = await addSeller(souk, SELLER, [US, DE])
  await addSeller(souk, OTHER_SELLER)
  await putOperatorData(souk, {
    orders: [
      order(1, 10),
      order(2, 10),
      order(3, 10, { shippedAt: daysAgo(8.9), deliveredAt: daysAgo(7.9) }),
      order(4, 10, { deliveredAt: null }),
      order(5, 10, { status: 'Canceled', shippedAt: null, deliveredAt: null }),
      order(6, 30),
      order(7, 59),
      order(8, 60),
      order(9, 45, { fulfillmentChannel: 'AFN' }),
      order(10, 10, { marketplaceId: DE, currencyCode: 'EUR' }),
      order(11, 10, { sellerId: OTHER_SELLER, shippedAt: daysAgo(1) }),
    ],
    feedback: [
      feedback(1, 3),
      feedback(2, 2),
      feedback(7, 1),
      feedback(8, 1),
      feedback(9, 1),
      feedback(11, 1, OTHER_SELLER),
    ],
    // The second order has two claims and bad feedback, and counts as one defective order.
    returns: [claim('R-1', 2, true), claim('R-2', 2, true), claim('R-3', 3, true), claim('R-4', 4, false)],
  })
})

const report = async (fields = {}) => JSON.parse(await client.text({ reportType: TYPE, ...fields }))

describe(TYPE, () => {
  test('counts the late, cancelled and on-time orders of a month', async () => {
    const { performanceMetrics } = await report()
    expect(performanceMetrics).toMatchObject([
      {
        marketplaceId: US,
        lateShipmentRate: {
          reportingDateRange: { reportingDateFrom: '2026-05-02T12:00Z', reportingDateTo: '2026-06-01T12:00Z' },
          orderCount: 5,
          lateShipmentCount: 1,
          rate: 0.2,
          status: 'BAD',
          targetCondition: 'LESS_THAN',
        },
        onTimeDeliveryRate: { shipmentCountWithValidTracking: 3, onTimeDeliveryCount: 2, status: 'BAD' },
        validTrackingRate: { shipmentCount: 4, validTrackingCount: 4, rate: 1, status: 'GOOD' },
        preFulfillmentCancellationRate: { orderCount: 5, cancellationCount: 1, rate: 0.2, status: 'BAD' },
      },
    ])
  })

  test('counts each defective order of sixty days once, per fulfillment channel', async () => {
    const { performanceMetrics } = await report()
    expect(performanceMetrics[0].orderDefectRate).toMatchObject({
      mfn: {
        reportingDateRange: { reportingDateFrom: '2026-04-02T12:00Z', reportingDateTo: '2026-06-01T12:00Z' },
        orderCount: 7,
        orderWithDefects: { count: 3, status: 'BAD' },
        claims: { count: 2 },
        negativeFeedback: { count: 2 },
        fulfillmentType: 'mfn',
        status: 'BAD',
        rate: 3 / 7,
      },
      afn: {
        orderCount: 1,
        orderWithDefects: { count: 1 },
        claims: { count: 0 },
        negativeFeedback: { count: 1 },
        fulfillmentType: 'afn',
        rate: 1,
      },
    })
  })

  test('has the account status per marketplace', async () => {
    const { accountStatuses, performanceMetrics } = await report({ marketplaceIds: [US, DE] })
    expect(accountStatuses).toEqual([
      { marketplaceId: US, status: 'AT_RISK' },
      { marketplaceId: DE, status: 'NORMAL' },
    ])
    expect(performanceMetrics[1]).toMatchObject({
      marketplaceId: DE,
      lateShipmentRate: { orderCount: 1, lateShipmentCount: 0, rate: 0, status: 'GOOD' },
      orderDefectRate: { mfn: { orderCount: 1, rate: 0, status: 'GOOD' }, afn: { orderCount: 0, status: 'NONE' } },
    })
  })

  test('has no metrics to rate for a seller without orders', async () => {
    const newcomer = await addSeller(souk, 'A5HEALTH')
    const { accountStatuses, performanceMetrics } = JSON.parse(await newcomer.text({ reportType: TYPE }))
    expect(accountStatuses).toEqual([{ marketplaceId: US, status: 'NORMAL' }])
    expect(performanceMetrics[0]).toMatchObject({
      lateShipmentRate: { orderCount: 0, rate: 0, status: 'NONE' },
      orderDefectRate: { mfn: { orderCount: 0, rate: 0, status: 'NONE' } },
    })
  })

  test.skipIf(!present)('conforms to the public schema, with and without orders', async () => {
    const ajv = new Ajv({ strict: false })
    const { $schema: _, ...schemaBody } = JSON.parse(readFileSync(schema, 'utf8'))
    const validate = ajv.compile(schemaBody)
    for (const marketplaceIds of [[US], [US, DE], [DE]]) {
      expect(validate(await report({ marketplaceIds })), ajv.errorsText(validate.errors)).toBe(true)
    }
    const newcomer = await addSeller(souk, 'A6HEALTH')
    const empty = JSON.parse(await newcomer.text({ reportType: TYPE }))
    expect(validate(empty), ajv.errorsText(validate.errors)).toBe(true)
  })
})
