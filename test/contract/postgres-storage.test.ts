import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPostgresDatabase } from '../support/databases.ts'

const LISTINGS = 5_000
const OFFERS = 2_000
const CHANGES = 10

describe('on PostgreSQL', () => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client(await createPostgresDatabase('schema'))
    await client.connect()
  })
  afterAll(() => client.end())

  test('an offer whose price changes often is updated in place, without a write to an index', async () => {
    // Every page is filled, and every tenth offer changes: without free space, it would move to another page.
    await client.query(
      `insert into offers select 'M', 'A' || n, 'S', 'sku' || n, 'new_new', 'MFN', 1, 0, 'USD', 1, '{}', 1, '2026'
       from generate_series(1, $1::int) as n`,
      [OFFERS],
    )
    for (let change = 0; change < CHANGES; change++) {
      await client.query(
        `update offers set price_minor = ${change}, updated_at = '${change}' where substr(sku, 4)::int % 10 = 0`,
      )
    }
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query(
      `select n_tup_upd::int as updates, n_tup_hot_upd::int as in_place from pg_stat_user_tables where relname = 'offers'`,
    )
    const updates = (CHANGES * OFFERS) / 10
    expect(rows).toEqual([{ updates, in_place: updates }])
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
