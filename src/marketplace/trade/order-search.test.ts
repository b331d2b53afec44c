import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { ManualClock } from '../../platform/clock/manual-clock.ts'
import { migrate } from '../../platform/database/migrate.ts'
import type { Reader } from '../../platform/database/port.ts'
import { compile, type Query } from '../../platform/database/query.ts'
import { SqliteDatabase } from '../../platform/database/sqlite-database.ts'
import { type OrderCursor, type OrderFilter, searchOrders } from './order-search.ts'

const ORDERS = 10_003
const folder = mkdtempSync(join(tmpdir(), 'souk-order-search-'))
const file = join(folder, 'souk.db')
const everything: OrderFilter = {
  by: 'purchased_at',
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-12-31T00:00:00.000Z',
  marketplaceIds: ['M'],
}
let database: SqliteDatabase
let sqlite: Sqlite.Database

/** Orders of two statuses in turn, one a minute. The last one alone is paid on delivery. */
beforeAll(async () => {
  database = new SqliteDatabase(file)
  await migrate(database, migrations, new ManualClock('2026-01-01T00:00:00Z'))
  sqlite = new Sqlite(file)
  sqlite.pragma('foreign_keys = off')
  sqlite.exec(`with recursive numbers (number) as (
      select 1 union all select number + 1 from numbers where number < ${ORDERS}
    )
    insert into orders (seller_id, order_id, marketplace_id, status, fulfillment_channel, purchased_at, updated_at,
      buyer_accepts_requests, currency_code, ship_service_level, payment_method)
    select 'S', printf('%05d', number), 'M', case when number % 2 then 'Shipped' else 'Unshipped' end, 'MFN', time, time,
      1, 'USD', 'Standard', case when number = ${ORDERS} then 'COD' else 'Other' end
    from (select number, strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + number * 60, 'unixepoch') as time from numbers)`)
})
afterAll(async () => {
  sqlite.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

/** Searches, and returns the page and the statements about orders. */
async function search(changes: Partial<OrderFilter>, page: { after?: OrderCursor; pageSize?: number } = {}) {
  const statements: { sql: string; values: readonly unknown[] }[] = []
  const found = await database.read((reader) => {
    const all = (query: Query<unknown>) => {
      statements.push(compile(query, 'sqlite'))
      return reader.all(query)
    }
    return searchOrders({ ...reader, all } as Reader, 'S', { ...everything, ...changes }, { pageSize: 2, ...page })
  })
  return { ...found, ids: found.orders.map(({ orderId }) => orderId), statements }
}

const planOf = ({ sql, values }: { sql: string; values: readonly unknown[] }) =>
  (sqlite.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]).map(({ detail }) => detail)

describe('a search of orders', () => {
  test('tests a filter without an index on 10,000 orders with one statement, and continues after them', async () => {
    const first = await search({ paymentMethods: ['COD'] })
    expect(first.ids).toEqual([])
    expect(first.next?.[1]).toBe('10000')
    expect(first.statements).toHaveLength(1)
    const second = await search({ paymentMethods: ['COD'] }, { after: first.next as OrderCursor })
    expect(second.ids).toEqual([String(ORDERS)])
    expect(second.next).toBeUndefined()
  })

  test('reads 10,000 keys in all if it tests a filter, not of each status', async () => {
    const { statements } = await search({ paymentMethods: ['COD'] })
    expect(planOf(statements[0] as never)).toContain('MERGE (UNION ALL)')
    expect(statements[0]?.values.filter((value) => value === 10_000)).toHaveLength(1)
  })

  test('walks the same index backwards for the newest orders, without sorting', async () => {
    const first = await search({ isNewestFirst: true })
    expect(first.ids).toEqual(['10003', '10002'])
    expect((await search({ isNewestFirst: true }, { after: first.next as OrderCursor })).ids).toEqual([
      '10001',
      '10000',
    ])
    const plan = planOf(first.statements[0] as never)
    expect(plan).toContain('MERGE (UNION ALL)')
    expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  })

  test('finds each order once among more marketplaces than one statement can merge', async () => {
    const marketplaceIds = ['M', ...Array.from({ length: 49 }, (_, index) => `M${index}`)]
    const first = await search({ marketplaceIds })
    expect(first.ids).toEqual(['00001', '00002'])
    expect((await search({ marketplaceIds }, { after: first.next as OrderCursor })).ids).toEqual(['00003', '00004'])
    const many = await search({ marketplaceIds, statuses: ['Unshipped'] })
    expect(many.ids).toEqual(['00002', '00004'])
  })

  test.each<[string, Partial<OrderFilter>, string]>([
    ["the seller's id", { sellerOrderId: 'MINE' }, 'orders_by_seller_order (seller_id=? AND seller_order_id=?)'],
    ['the buyer', { buyerEmail: 'nadia@marketplace.example' }, 'orders_by_buyer (seller_id=? AND buyer_email=?)'],
    ['ids', { orderIds: ['00001'] }, 'PRIMARY KEY (seller_id=? AND order_id=?)'],
    ['a status', { statuses: ['Shipped'], channels: ['MFN'] }, 'orders_by_state_and_purchase'],
  ])('by %s uses its index and reads no other orders', async (_what, filter, index) => {
    const { statements } = await search(filter)
    const plan = planOf(statements[0] as never)
    expect(plan).toContainEqual(expect.stringContaining(index))
    const reads = plan.filter((step) => step.includes('orders'))
    expect(reads.filter((step) => !step.includes(index) && !step.includes('AND order_id=?)'))).toEqual([])
  })
})
