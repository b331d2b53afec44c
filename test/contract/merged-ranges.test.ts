import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPage } from '../../src/areas/listings/store/search-store.ts'
import { listNewestDeliveries } from '../../src/areas/notifications/console/store.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { searchOrders } from '../../src/marketplace/trade/order-search.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Database, Transaction } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { databaseKinds } from '../support/databases.ts'

const ROWS = 3_000
const PAGE = 10
const TIME = "'2026-01-01T00:00:00.000Z'"
const numbers = `generate_series(1, ${ROWS}) as numbers (n)`
const time = `'2026-01-01T00:00:00.' || lpad((n % 1000)::text, 3, '0') || 'Z'`

const statements = [
  `insert into marketplaces (marketplace_id, name, country_code, domain_name, currency_code, language_code)
    values ('M', 'Market', 'CH', 'market.example', 'CHF', 'de_CH')`,
  `insert into sellers (seller_id, business_type, selling_plan) values ('S', 'INDIVIDUAL', 'PROFESSIONAL')`,
  `insert into orders (seller_id, order_id, marketplace_id, status, fulfillment_channel, purchased_at, updated_at,
      buyer_accepts_requests, currency_code, ship_service_level)
    select 'S', 'O' || n, 'M', 'Shipped', case n % 2 when 0 then 'AFN' else 'MFN' end, ${time}, ${time}, 1, 'CHF', 'Standard'
    from ${numbers}`,
  `insert into listings (seller_id, sku, marketplace_id, state, product_type, requirements, condition_type, channel, is_buyable,
      is_discoverable, has_errors, has_warnings, product_attributes, offer_attributes, issues, created_at, updated_at)
    select 'S', 'SKU' || n, 'M', 'LIVE', 'SHOES', 'LISTING', 'new_new', 'DEFAULT', 1, 1, n % 2, (n + 1) % 2, '{}', '{}', '[]',
      ${time}, ${time}
    from ${numbers}`,
  `insert into applications (application_id, name, client_id, client_secret_digest, signing_key_id)
    values ('A', 'Application', 'client', '', 'key')`,
  `insert into destinations (application_id, destination_id, name, kind, target, created_at)
    values ('A', 'D', 'Queue', 'sqs', 'arn', ${TIME})`,
  `insert into authorizations (seller_id, application_id, authorized_at) values ('S', 'A', ${TIME})`,
  `insert into subscriptions (seller_id, application_id, notification_type, payload_version, subscription_id, destination_id,
      created_at)
    values ('S', 'A', 'ORDER_CHANGE', '1.0', 'one', 'D', ${TIME}), ('S', 'A', 'FEED_PROCESSING_FINISHED', '1.0', 'two', 'D', ${TIME})`,
  `insert into deliveries (application_id, destination_id, delivery_id, event_id, seller_id, subscription_id, notification_type,
      payload_version, state, due_at, event_time, attempts, payload)
    select 'A', 'D', 'delivery-' || n, 'event-' || n, 'S', case n % 2 when 0 then 'one' else 'two' end, 'ORDER_CHANGE', '1.0', 'PENDING',
      ${time}, ${time}, 0, '{}'
    from ${numbers}`,
  // As autovacuum does.
  'analyze orders',
  'analyze listings',
  'analyze deliveries',
]

const subscription = { applicationId: 'A', destinationId: 'D' }

/** Each reads a page from two or more ranges of an index. */
const pages: [table: string, read: (tx: Transaction) => Promise<readonly unknown[]>][] = [
  [
    'orders',
    async (tx) => {
      const period = { from: '2026-01-01T00:00:00.000Z', to: '2026-12-31T00:00:00.000Z' }
      const filter = { ...period, by: 'purchased_at', marketplaceIds: ['M'] } as const
      return (await searchOrders(tx, 'S', filter, { pageSize: PAGE })).orders
    },
  ],
  [
    'listings',
    async (tx) => {
      const search = {
        sellerId: 'S',
        marketplaceIds: ['M'],
        severities: ['ERROR', 'WARNING'],
        withStatus: [],
        withoutStatus: [],
      } as const
      return (await findPage(tx, search, { by: 'updated_at', descending: true }, PAGE)).items
    },
  ],
  [
    'deliveries',
    (tx) => {
      const subscriptions = ['one', 'two'].map((subscriptionId) => ({ ...subscription, subscriptionId }))
      return listNewestDeliveries(tx, subscriptions as never, { states: ['PENDING', 'DEAD'], limit: PAGE })
    },
  ],
]

// SQLite has no such counts: unit tests look at its plans.
describe('a page of several ranges of an index', () => {
  let database: Database
  let discard: () => void
  beforeAll(async () => {
    ;({ database, discard } = await databaseKinds.PostgreSQL({ hasSchema: true }))
    await migrateDatabase(database, new ManualClock('2026-06-01T12:00:00Z'))
    for (const statement of statements) await database.transactSchema((tx) => tx.execute(statement))
  })
  afterAll(async () => {
    await database.close()
    discard()
  })

  test.each(pages)('of %s reads about as many rows as it has', async (table, read) => {
    const { found, count } = await database.transact(async (tx) => {
      const before = await countReadRows(tx, table)
      const found = await read(tx)
      return { found, count: (await countReadRows(tx, table)) - before }
    })
    expect(found).toHaveLength(PAGE)
    expect(count).toBeGreaterThanOrEqual(PAGE)
    // The first step of a search of listings tests a hundred.
    expect(count).toBeLessThanOrEqual(ROWS / 10)
  })
})

async function countReadRows(tx: Transaction, table: string): Promise<number> {
  const read = sql<number>`(select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
    from pg_stat_xact_user_tables where relname = ${table})`
  return (await tx.first(queryBuilder<Record<string, never>>().selectNoFrom(read.as('count'))))?.count ?? 0
}
