import Sqlite from 'better-sqlite3'
import { demo } from '../../src/dev/demo/index.ts'

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
const SPREAD_OVER_DAYS = 59
const RETURNS_OF_AN_ORDER = 10
// A prime, so that its multiples go through all orders before they come back to the first.
const STRIDE = 611_953

export interface SeededReturns {
  /** A span of time in which exactly this number of returns was requested. */
  window(rows: number): { dataStartTime: string; dataEndTime: string }
}

/**
 * Stores returns of the demo seller, of one item each, in place of those that it has. SQLite makes them up by itself:
 * handing a million over takes longer than all that is measured with them.
 */
export function seedReturns(file: string, count: number): SeededReturns {
  const oldest = Date.now() - SPREAD_OVER_DAYS * DAY_MILLISECONDS
  const step = Math.floor((SPREAD_OVER_DAYS * DAY_MILLISECONDS) / count)
  const requestedAt = (index: number) => new Date(oldest + index * step).toISOString()
  const { sellerId, marketplaceId } = demo
  const values = { sellerId, marketplaceId, count, orders: count / RETURNS_OF_AN_ORDER, oldest, step, stride: STRIDE }
  const sqlite = new Sqlite(file)
  try {
    // No other process uses the file, and it is deleted if this fails.
    for (const setting of ['journal_mode = off', 'synchronous = off', 'foreign_keys = off', 'cache_size = -500000'])
      sqlite.pragma(setting)
    sqlite.exec('begin')
    for (const statement of statements) sqlite.prepare(statement).run(values)
    sqlite.exec('commit')
  } finally {
    sqlite.close()
  }
  return { window: (rows) => ({ dataStartTime: requestedAt(0), dataEndTime: requestedAt(rows - 1) }) }
}

const numbersBelow = (count: string) =>
  `with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n + 1 < ${count})`
const time = (milliseconds: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', (${milliseconds}) / 1000.0, 'unixepoch')`
const requestedAt = time('@oldest + n * @step')
// What is returned one after the other was not bought one after the other.
const orderNumber = 'n * @stride % @orders'

const statements = [
  'delete from returns where seller_id = @sellerId',
  'delete from return_items where seller_id = @sellerId',

  `insert into orders (seller_id, order_id, marketplace_id, status, fulfillment_channel, purchased_at, updated_at,
     buyer_accepts_requests, currency_code, ship_service_level)
   ${numbersBelow('@orders')}
   select @sellerId, format('902-0000000-%07d', n), @marketplaceId, 'Shipped', 'MFN', ${time('@oldest - n * 1000')},
     ${time('@oldest')}, 1, 'USD', 'Standard'
   from numbers`,

  `insert into order_items (seller_id, order_id, order_item_id, sku, asin, title, quantity, quantity_shipped,
     price_minor, tax_minor, shipping_price_minor)
   ${numbersBelow('@orders')}
   select @sellerId, format('902-0000000-%07d', n), format('9020000000%07d', n), format('SOUK-SHOE-%03d', n % 1000),
     format('B0SOUK%04d', n % 1000), format('Trail running shoe, grey, model %d', n % 1000), 10, 10,
     10000 + n % 5000, 800 + n % 400, 790
   from numbers`,

  `insert into returns (seller_id, rma_id, order_id, requested_at, status, is_prime, a_to_z_claim, return_type,
     label_type, label_cost_minor, label_carrier, label_tracking_id, label_paid_by, delivered_at)
   ${numbersBelow('@count')}
   select @sellerId, format('DB%07dRRMA', n), format('902-0000000-%07d', ${orderNumber}), ${requestedAt}, 'Completed',
     n % 10 = 7, n % 25 = 18, 'C-Returns', 'AmazonPrePaidLabel', 795, 'UPS', format('1Z50DB%09d', n), 'Seller',
     ${requestedAt}
   from numbers`,

  `insert into return_items (seller_id, rma_id, order_item_id, quantity, reason_code, in_policy, resolution, category,
     refund_minor)
   ${numbersBelow('@count')}
   select @sellerId, format('DB%07dRRMA', n), format('9020000000%07d', ${orderNumber}), 1, 'CR-DEFECTIVE', 1,
     'StandardRefund', 'Shoes', 1000 + n % 500
   from numbers`,
]
