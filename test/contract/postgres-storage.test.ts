import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../support/databases.ts'
import { listingsClient, setPrice, setQuantity } from '../support/listings.ts'
import { startTestSouk } from '../support/souk.ts'
import { waitFor } from '../support/wait-for.ts'

const LISTINGS = 5_000
const ROWS = 2_000
const CHANGES = 10
const PATCHES = 40

describe('on PostgreSQL', () => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client(await createPostgresDatabase('schema'))
    await client.connect()
    // Notices refer to products.
    await client.query(`set session_replication_role = replica`)
  })
  afterAll(() => client.end())

  // Every page is filled, and every tenth row changes: without free space, it would move to another page.
  test.each([
    [
      'an offer whose price changes often',
      'offers',
      `select 'M', 'A' || n, 'S', 'sku' || n, 'new_new', 'MFN', 1, 0, 'USD', 1, '{}', 1, '2026'`,
      'price_minor = $1::int, updated_at = $1',
    ],
    [
      'the last notification of a product',
      'market_notices',
      `select 'M', 'A' || n, 'New', 'event', 'digest', '2026'`,
      'event_id = $1, notified_at = $1',
    ],
  ])('%s is updated in place, without a write to an index', async (_what, table, values, change) => {
    const updates = (CHANGES * ROWS) / 10
    // While another connection of the server starts, what was updated is not removed. So this may take several attempts.
    await waitFor(updateAll, ({ inPlace }) => inPlace === updates)

    async function updateAll() {
      await client.query(`truncate ${table} cascade`)
      await client.query(`insert into ${table} ${values} from generate_series(1, ${ROWS}) as n`)
      const before = await countUpdates(client, table)
      for (let time = 0; time < CHANGES; time++) {
        await client.query(`update ${table} set ${change} where substr(asin, 2)::int % 10 = 0`, [String(time)])
      }
      await client.query('select pg_stat_force_next_flush()')
      const after = await countUpdates(client, table)
      return { updates: after.updates - before.updates, inPlace: after.inPlace - before.inPlace }
    }
  })

  test('patches of price and quantity update the offer in place', async () => {
    const database = await createPostgresDatabase('schema')
    const souk = await startTestSouk({ database })
    const listings = listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
    for (let time = 1; time <= PATCHES; time++) {
      const responses = await Promise.all(
        ['SOUK-SHOE-001', 'SOUK-SHOE-002', 'SOUK-SHOE-003'].map((sku) =>
          listings.patch(sku, [setPrice(50 + time), setQuantity(time)]),
        ),
      )
      for (const { statusCode } of responses) expect(statusCode).toBe(200)
    }
    // Its connections report what they did when they end.
    await souk.stop()
    const reader = new pg.Client(database)
    await reader.connect()
    onTestFinished(() => reader.end())
    const { updates, inPlace } = await waitFor(
      () => countUpdates(reader, 'offers'),
      (counts) => counts.updates >= PATCHES * 3,
    )
    expect(inPlace / updates).toBeGreaterThan(0.9)
  })

  test.each(['events', 'jobs', 'deliveries', 'fan_outs', 'market_summaries'])(
    'the queue %s is vacuumed after a number of changes, not after a share of its size',
    async (table) => {
      const { rows } = await client.query('select reloptions from pg_class where relname = $1', [table])
      expect(rows[0].reloptions).toContain('autovacuum_vacuum_scale_factor=0')
    },
  )

  test('a page of listings in the order of SKUs is read from the primary key', async () => {
    await client.query(
      `insert into marketplaces values ('M1', 'M', 'US', 'USD', 'en_US', 'm.example'), ('M2', 'M', 'DE', 'EUR', 'de_DE', 'n.example')`,
    )
    await client.query(`insert into sellers values ('S', 'BUSINESS', 'PROFESSIONAL')`)
    await client.query(
      `insert into listings (seller_id, sku, marketplace_id, state, product_type, requirements, condition_type, channel,
         is_buyable, is_discoverable, has_errors, has_warnings, product_attributes, offer_attributes, issues, created_at, updated_at)
       select 'S', 'SKU-' || n / 2, 'M' || 1 + n % 2, 'LIVE', 'SHOES', 'LISTING', 'new_new', 'DEFAULT',
         1, 1, 0, 0, '{}', '{}', '[]', '2026', '2026' from generate_series(1, $1::int) as n`,
      [LISTINGS],
    )
    await client.query('analyze listings')
    const { rows } = await client.query(
      `explain select sku from listings where seller_id = 'S' and marketplace_id = 'M1' and sku > 'SKU-5' order by sku limit 20`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('listings_pkey')
    expect(plan).not.toContain('Sort')
  })
})

async function countUpdates(client: pg.Client, table: string): Promise<{ updates: number; inPlace: number }> {
  const { rows } = await client.query(
    `select n_tup_upd::int as updates, n_tup_hot_upd::int as "inPlace" from pg_stat_user_tables where relname = $1`,
    [table],
  )
  return rows[0]
}
