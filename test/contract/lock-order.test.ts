import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { invalidateSummaries } from '../../src/areas/pricing/index.ts'
import { checkDigit } from '../../src/marketplace/catalog/identifiers.ts'
import { createCatalogWriter } from '../../src/marketplace/catalog/index.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { waitForBlocked } from '../support/blocked-connections.ts'
import { buildCatalogItem } from '../support/catalog.ts'
import { countRetries } from '../support/database-retries.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FeedsClient, partialUpdate, update } from '../support/feeds.ts'
import { listingsClient, newShoe, priceOf, setAttribute, US } from '../support/listings.ts'

import { startTestSouk, type TestSouk } from '../support/souk.ts'

const countLocks = queryBuilder<{ pg_locks: { locktype: string } }>()
  .selectFrom('pg_locks')
  .select(sql<number>`count(*)`.as('count'))
  .where('locktype', '=', 'advisory')

const MANY = 100_000
// Of PostgreSQL with default settings, whose table of locks has place for about 13,000.
const MAX_LOCKS = 5_000

const eanOf = (index: number) => {
  const digits = `40${String(index).padStart(10, '0')}`
  return digits + checkDigit(digits)
}

// SQLite has one writer at a time, and no such locks.
describe('transactions on PostgreSQL', () => {
  let url: string
  let admin: pg.Client
  let souk: TestSouk
  let token: string
  beforeAll(async () => {
    url = await createPostgresDatabase('schema')
    souk = await startTestSouk({ database: url })
    token = await souk.tokenFor(souk.demo.refreshToken)
    admin = await connect()
  })
  afterAll(() => admin.end())

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(url)
    await client.connect()
    return client
  }

  function open(): PostgresDatabase {
    const database = new PostgresDatabase({ url, poolSize: 10 })
    onTestFinished(() => database.close())
    return database
  }

  const countDeadlocks = () => countRetries([souk], 'deadlock')

  const withIdentifier = (index: number) =>
    newShoe({ externally_assigned_product_identifier: [{ type: 'ean', value: eanOf(index) }] })

  test('take a bounded number of locks, however many products they change', async () => {
    const keys = Array.from({ length: MANY }, (_, index) => String(index))
    await open().transact(async (tx) => {
      await tx.lock('market', keys, 'shared')
      const locks = await tx.first(countLocks)
      expect(locks?.count).toBeLessThan(MAX_LOCKS)
    })
  })

  test('of a feed hold the rows of one batch, locked in the order of SKUs', async () => {
    const feeds = new FeedsClient(souk)
    const skus = Array.from({ length: 60 }, (_, index) => `ORDERED-${String(index).padStart(2, '0')}`)
    const price = { purchasable_offer: [{ currency: 'USD', our_price: priceOf(12) }] }
    await feeds.process(skus.map((sku) => update(sku, newShoe())))
    const other = await connect()
    onTestFinished(() => other.end())
    const locked = `select sku from listings where sku like 'ORDERED-%'`
    await other.query(`begin; ${locked} and sku = 'ORDERED-00' for update`)
    const feedId = await feeds.submitted(feeds.document(skus.toReversed().map((sku) => partialUpdate(sku, price))))
    await waitForBlocked(admin)
    expect((await other.query(`${locked} for update nowait`)).rowCount).toBe(skus.length)
    await other.query('commit')
    await souk.idle()
    expect(await feeds.feed(feedId)).toMatchObject({ processingStatus: 'DONE' })
  })

  test('that change the same summaries in different orders never wait for each other', async () => {
    const database = open()
    const keys = Array.from({ length: 60 }, (_, index) => ({
      marketplaceId: US,
      asin: `B0ORDER${String(index).padStart(3, '0')}`,
    }))
    let attempts = 0
    for (let round = 0; round < 5; round++) {
      // Serializable transactions store placeholders.
      await database.transact((tx) => invalidateSummaries(tx, keys))
      await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          database.transact(
            async (tx) => {
              attempts++
              await invalidateSummaries(tx, index % 2 === 0 ? keys : keys.toReversed())
            },
            { isolation: 'read committed' },
          ),
        ),
      )
    }
    expect(attempts).toBe(40)
  })

  test('of two sellers that list the same new products in different orders never wait for each other', async () => {
    const sellers = [new FeedsClient(souk), new FeedsClient(souk, souk.demo.otherSeller)]
    const before = await countDeadlocks()
    for (let round = 0; round < 4; round++) {
      const messages = Array.from({ length: 25 }, (_, index) =>
        update(`SAME-${round}-${index}`, withIdentifier(round * 25 + index)),
      )
      await Promise.all(
        sellers.map((feeds, seller) =>
          feeds.submitted(feeds.document(seller === 0 ? messages : messages.toReversed())),
        ),
      )
      await souk.idle()
    }
    expect((await countDeadlocks()) - before).toBe(0)
    const { rows } = await admin.query(
      `select identifier from catalog_identifiers where identifier like '%40000000%' group by 1 having count(*) > 1`,
    )
    expect(rows).toEqual([])
  })

  test('that relate listings with each other never wait for each other', async () => {
    const listings = listingsClient(souk, token)
    const child = (parent_sku: string) => setAttribute('child_parent_sku_relationship', { parent_sku })
    for (const sku of ['RELATED-A', 'RELATED-B']) await listings.put(sku, newShoe())
    await souk.idle()
    const before = await countDeadlocks()
    for (let round = 0; round < 8; round++) {
      await admin.query(`update listings set has_relations = 0 where sku like 'RELATED-%'`)
      await Promise.all([
        listings.patch('RELATED-A', [child('RELATED-B')]),
        listings.patch('RELATED-B', [child('RELATED-A')]),
      ])
    }
    expect((await countDeadlocks()) - before).toBe(0)
  })

  test('that add a product wait for an operator who adds one with the same identifier', async () => {
    const listings = listingsClient(souk, token)
    const asin = 'B0OPERATOR'
    const identifiers = [{ type: 'EAN' as const, value: eanOf(9_999) }]
    const catalog = createCatalogWriter(async () => {})
    await open().transact(async (tx) => {
      await catalog.upsert(tx, [{ ...buildCatalogItem(asin), identifiers }], new Date('2026-01-01'))
      await listings.put('BESIDE-OPERATOR', withIdentifier(9_999))
      await waitForBlocked(admin)
    })
    await souk.idle()
    expect((await listings.read('BESIDE-OPERATOR')).summaries).toMatchObject([{ asin }])
  })
})
