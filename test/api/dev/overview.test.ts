import { beforeAll, describe, expect, test } from 'vitest'
import { migrateDatabase } from '../../../src/composition/migrations.ts'
import { loadDailySales } from '../../../src/marketplace/trade/sales.ts'
import { ManualClock } from '../../../src/platform/clock/manual-clock.ts'
import type { Reader } from '../../../src/platform/database/port.ts'
import type { PreparedQuery } from '../../../src/platform/database/query.ts'
import { openInMemory } from '../../../src/platform/database/sqlite-copy.ts'
import { SqliteDatabase } from '../../../src/platform/database/sqlite-database.ts'
import { buildOrder } from '../../support/orders.ts'
import { buildSeller, DE, JP, putResources, US } from '../../support/seller-client.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const overviewOf = async (souk: TestSouk) => {
  const response = await souk.get('/_souk/overview')
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

describe('the overview', () => {
  let souk: TestSouk
  const sellerId = 'AOVERVIEW'
  beforeAll(async () => {
    souk = await startTestSouk()
    await putResources(souk, 'sellers', [buildSeller(sellerId, [US, DE, JP])])
  })

  test('counts requests of clients, those that were refused, and none of the control plane', async () => {
    const countsOf = async () => {
      const { activity } = await overviewOf(souk)
      expect(activity).toHaveLength(60)
      const sum = (name: string) =>
        activity.reduce((all: number, minute: Record<string, number>) => all + (minute[name] ?? 0), 0)
      return { requests: sum('requests'), refused: sum('refused'), failed: sum('failed') }
    }
    const before = await countsOf()
    const token = await souk.tokenFor(souk.demo.refreshToken)
    await souk.get('/sellers/v1/account', { token })
    await souk.get('/sellers/v1/account')
    await souk.get('/nowhere')
    await souk.get('/_souk/clock')
    await souk.get('/_souk/nowhere')
    await souk.get('/healthz')
    expect(await countsOf()).toEqual({
      requests: before.requests + 4,
      refused: before.refused + 2,
      failed: before.failed,
    })
  })

  test('has the sales of the last 30 days of the marketplace, by currency and without canceled orders', async () => {
    const now = souk.clock.now()
    const before = await overviewOf(souk)
    expect(before.sales).toHaveLength(30)
    const today = now.toISOString().slice(0, 10)
    expect(before.sales.at(-1)).toMatchObject({ date: today })
    const sold = { status: 'Unshipped', purchasedAt: now.toISOString() } as const
    const item = { sku: 'SKU-1', asin: 'B0SOUK0001', title: 'Shoe', quantity: 1 }
    await putResources(souk, 'orders', [
      buildOrder(now, { ...sold, sellerId, orderId: '900-0000000-0000001' }),
      buildOrder(now, {
        ...sold,
        sellerId,
        orderId: '900-0000000-0000002',
        marketplaceId: JP,
        currencyCode: 'JPY',
        items: [
          { ...item, orderItemId: '1', priceMinor: 1200, taxMinor: 120 },
          { ...item, orderItemId: '2', priceMinor: 300 },
        ],
      }),
      buildOrder(now, { ...sold, sellerId, orderId: '900-0000000-0000003', status: 'Canceled' }),
      buildOrder(now, {
        sellerId,
        orderId: '900-0000000-0000004',
        purchasedAt: new Date(now.getTime() - 30 * 24 * 60 * 60 * 1000).toISOString(),
      }),
    ])
    const after = await overviewOf(souk)
    const revenueOf = ({ sales }: typeof before, currency: string) =>
      sales.at(-1).revenue.find((one: { currencyCode: string }) => one.currencyCode === currency)?.amount ?? 0
    expect(after.sales.at(-1).orders).toBe(before.sales.at(-1).orders + 2)
    expect(revenueOf(after, 'USD')).toBeCloseTo(revenueOf(before, 'USD') + 89.9)
    expect(revenueOf(after, 'JPY')).toBe(revenueOf(before, 'JPY') + 1500)
    const ordersOf = ({ sales }: typeof before) =>
      sales.reduce((sum: number, day: { orders: number }) => sum + day.orders, 0)
    expect(ordersOf(after)).toBe(ordersOf(before) + 2)
    expect(after.totals).toEqual({ ...before.totals, orders: before.totals.orders + 4 })
    expect(after.totals.listings).toBeGreaterThan(200)
  })

  test('counts no listing that is unknown because only its quantity was sent', async () => {
    const before = await overviewOf(souk)
    const path = `/listings/2021-08-01/items/${souk.demo.sellerId}/NEVER-LISTED?marketplaceIds=${souk.demo.marketplaceId}`
    const headers = { 'x-souk-console': '1', 'x-souk-seller': souk.demo.sellerId }
    const value = [{ fulfillment_channel_code: 'DEFAULT', quantity: 1 }]
    const patches = [{ op: 'replace', path: '/attributes/fulfillment_availability', value }]
    const patched = await souk.send('PATCH', path, { headers, payload: { productType: 'SHOES', patches } })
    expect(patched.json()).toMatchObject({ status: 'ACCEPTED' })
    await souk.idle()
    expect((await souk.get(path, { headers })).statusCode).toBe(200)
    expect((await overviewOf(souk)).totals).toEqual(before.totals)
  })

  test('has the clock and the background work', async () => {
    expect(await overviewOf(souk)).toMatchObject({
      clock: { now: souk.clock.now().toISOString(), frozen: souk.clock.isFrozen },
      jobs: { waiting: expect.any(Number), running: 0, givenUp: 0 },
      deliveries: { pending: 0, dead: 0 },
      queue: { messages: 0 },
    })
  })
})

test('the sales of a period are read from an index, however many orders are older', async () => {
  const database = new SqliteDatabase(':memory:')
  await migrateDatabase(database, new ManualClock('2026-06-01T12:00:00Z'))
  const sqlite = openInMemory(Buffer.from(await database.image()))
  const plans: string[] = []
  const reader = {
    async all(query: PreparedQuery<object, object>, params: object) {
      const { sql, bind } = query.statement('sqlite', params)
      const steps = sqlite.prepare(`explain query plan ${sql}`).all(...bind(params)) as { detail: string }[]
      plans.push(...steps.map(({ detail }) => detail))
      return []
    },
  } as unknown as Reader
  await loadDailySales(reader, { from: new Date(0), to: new Date(1), maxOrders: 10 })
  sqlite.close()
  await database.close()
  expect(plans).toContain(
    'SEARCH orders USING COVERING INDEX orders_by_purchase (seller_id=? AND purchased_at>? AND purchased_at<?)',
  )
  expect(plans.filter((step) => step.startsWith('SCAN orders'))).toEqual([])
})

test('sales have fewer days if there are too many orders to look at', async () => {
  const reader = (rows: object[]) => ({ all: async () => rows }) as unknown as Reader
  const range = { from: new Date('2026-05-01T00:00:00Z'), to: new Date('2026-06-01T00:00:00Z') }
  const day = (date: string, found: number) => ({
    date,
    found,
    orders: found,
    currency_code: 'EUR',
    revenue_minor: 100,
  })
  const days = [day('2026-05-20', 3), day('2026-05-22', 4), day('2026-05-31', 3)]
  const datesOf = async (rows: object[], maxOrders: number) => {
    const { days, completeFrom } = await loadDailySales(reader(rows), { ...range, maxOrders })
    return [completeFrom, ...days.map(({ date }) => date)]
  }
  expect(await datesOf(days, 11)).toEqual(['2026-05-01', '2026-05-20', '2026-05-22', '2026-05-31'])
  expect(await datesOf(days, 10)).toEqual(['2026-05-22', '2026-05-22', '2026-05-31'])
  expect(await datesOf([day('2026-05-31', 10)], 10)).toEqual(['2026-05-31', '2026-05-31'])
})
