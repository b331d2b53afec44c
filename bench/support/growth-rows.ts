import { demo } from '../../src/dev/demo/index.ts'
import type { Expressions, Filling } from './fill-tables.ts'

const SECONDS_BETWEEN_ORDERS = 30
const HOUR_SECONDS = 60 * 60
const ORDERS_PER_UNSHIPPED = 1_000
/** The kind of the jobs that wait: their time comes after days. */
export const WAITING_JOB = 'processFeed'
/** No worker runs jobs of this kind. */
export const BENCH_JOB = 'growthBench'

export const skuOf = (index: number) => `GROWTH-${String(index).padStart(8, '0')}`
export const asinOf = (index: number) => `B3${String(index).padStart(8, '0')}`

/** Everything that a marketplace has more of as it grows: about one seller, about its market, and about other sellers. */
export const growthRows =
  (count: number, now: Date) =>
  ({ digits, time }: Expressions): Filling[] => {
    const { sellerId, marketplaceId } = demo
    const [asin, sku] = [`'B3' || ${digits(8)}`, `'GROWTH-' || ${digits(8)}`]
    const [other, application] = [`'AOTHER' || ${digits(8)}`, `'${demo.applicationId}'`]
    const seconds = Math.floor(now.getTime() / 1000) - HOUR_SECONDS
    const past = time(`${seconds} - (${count} - n) * ${SECONDS_BETWEEN_ORDERS}`)
    const future = time(`${seconds} + 100 * ${HOUR_SECONDS} + n`)
    const product = { marketplace_id: marketplaceId, asin: String(demo.asins[0]) }
    const listing = { seller_id: sellerId, sku: String(demo.skus[0]), marketplace_id: marketplaceId }
    const order = { seller_id: sellerId, order_id: String(demo.orders.eligible[0]) }
    const orderId = `'951-' || ${digits(7, 'n / 10000000')} || '-' || ${digits(7, 'n % 10000000')}`
    const isUnshipped = `n % ${ORDERS_PER_UNSHIPPED} = 0`
    const status = `case when ${isUnshipped} then 'Unshipped' else 'Shipped' end`
    const shipped = `case when ${isUnshipped} then 0 else quantity end`
    return [
      { table: 'catalog_items', example: product, columns: { asin } },
      { table: 'listings', example: listing, columns: { sku, asin, created_at: past, updated_at: past } },
      { table: 'offers', example: { ...product, ...listing }, columns: { asin, sku } },
      { table: 'orders', example: order, columns: { order_id: orderId, status, purchased_at: past, updated_at: past } },
      { table: 'order_items', example: order, columns: { order_id: orderId, quantity_shipped: shipped } },
      {
        table: 'price_histories',
        columns: { marketplace_id: `'${marketplaceId}'`, asin, currency_code: `'USD'`, closings: `'[[20000,4990]]'` },
      },
      {
        table: 'sellers',
        columns: { seller_id: other, business_type: `'INDIVIDUAL'`, selling_plan: `'PROFESSIONAL'` },
      },
      { table: 'authorizations', columns: { seller_id: other, application_id: application, authorized_at: past } },
      {
        table: 'subscriptions',
        columns: {
          seller_id: other,
          application_id: application,
          notification_type: `'ORDER_CHANGE'`,
          payload_version: `'1.0'`,
          subscription_id: `'growth-' || ${digits(8)}`,
          destination_id: '(select min(destination_id) from destinations)',
          created_at: past,
        },
      },
      {
        table: 'jobs',
        columns: {
          job_id: `'growth-' || ${digits(8)}`,
          kind: `'${WAITING_JOB}'`,
          payload: `'{}'`,
          run_at: future,
          owner: `case when n % 2 = 0 then 'AOTHER' || ${digits(8, 'n % 1000')} end`,
          ...Object.fromEntries(['attempts', 'failures', 'crashes', 'outage_retries'].map((name) => [name, '0'])),
        },
      },
    ]
  }
