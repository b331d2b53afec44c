import { demo } from '../../src/dev/demo/index.ts'
import { type Filling, UNITS } from './fill-tables.ts'

/** The kind of the jobs that wait: their time comes after days. */
export const WAITING_JOB = 'processFeed'
/** No worker runs jobs of this kind. */
export const BENCH_JOB = 'growthBench'

export const skuOf = (index: number) => `GROWTH-${String(index).padStart(8, '0')}`
export const asinOf = (index: number) => `B3${String(index).padStart(8, '0')}`
export const orderIdOf = (index: number) => `951-${digitsOf(index / UNITS)}-${digitsOf(index % UNITS)}`
const digitsOf = (number: number) => String(Math.floor(number)).padStart(7, '0')

const { sellerId, marketplaceId } = demo
const digits = 'blocks.digits || units.digits'
const [asin, sku] = [`'B3' || ${digits}`, `'GROWTH-' || ${digits}`]
const orderId = `'951-00' || blocks.digits || '-0000' || units.digits`
const [other, application] = [`'AOTHER' || ${digits}`, `'${demo.applicationId}'`]
const past = `blocks.second || units.digits || 'Z'`
const future = `blocks.later || units.digits || 'Z'`
// One in a thousand.
const isUnshipped = 'units.n = 0'

const product = { marketplace_id: marketplaceId, asin: String(demo.asins[0]) }
const listing = { seller_id: sellerId, sku: String(demo.skus[0]), marketplace_id: marketplaceId }
const order = { seller_id: sellerId, order_id: String(demo.orders.eligible[0]) }

/**
 * Everything that a marketplace has more of as it grows: about one seller, about its market, and about other sellers.
 * Texts that no operation here reads are short, so that ten million rows take tens of gigabytes and not hundreds.
 */
export const growthRows: readonly Filling[] = [
  { table: 'catalog_items', example: product, columns: { asin, facts: `'{}'` } },
  {
    table: 'listings',
    example: listing,
    columns: {
      sku,
      asin,
      requirements: `'LISTING_OFFER_ONLY'`,
      product_attributes: `'{}'`,
      created_at: past,
      updated_at: past,
    },
  },
  { table: 'offers', example: { ...product, ...listing }, columns: { asin, sku } },
  {
    table: 'orders',
    example: order,
    columns: {
      order_id: orderId,
      status: `case when ${isUnshipped} then 'Unshipped' else 'Shipped' end`,
      purchased_at: past,
      updated_at: past,
      buyer_email: `'buyer-' || ${digits} || '@marketplace.example'`,
    },
  },
  {
    table: 'order_items',
    example: order,
    columns: { order_id: orderId, quantity_shipped: `case when ${isUnshipped} then 0 else 1 end` },
  },
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
      subscription_id: `'growth-' || ${digits}`,
      destination_id: '(select min(destination_id) from destinations)',
      created_at: past,
    },
  },
  {
    table: 'jobs',
    columns: {
      job_id: `'growth-' || ${digits}`,
      kind: `'${WAITING_JOB}'`,
      payload: `'{}'`,
      run_at: future,
      owner: `case when blocks.n % 2 = 0 then 'AOTHER00000' || units.digits end`,
      ...Object.fromEntries(['attempts', 'failures', 'crashes', 'outage_retries'].map((name) => [name, '0'])),
    },
  },
]

/** Events of the other sellers, which wait for a relay. */
export const growthEvents: readonly Filling[] = [
  {
    table: 'events',
    columns: {
      event_id: `'growth-' || ${digits}`,
      occurred_at: past,
      seller_id: other,
      event_type: `'ORDER_CHANGE'`,
      payload: `'{"OrderChangeNotification":{"SellerId":"' || ${other} || '","AmazonOrderId":"' || ${orderId} || '"}}'`,
    },
  },
]
