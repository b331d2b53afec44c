import { beforeAll, describe, expect, test } from 'vitest'
import type { ListingTables } from '../../../src/areas/listings/tables.ts'
import { queryBuilder } from '../../../src/platform/database/query.ts'
import { upsertMany } from '../../../src/platform/database/upsert.ts'
import { IN_US, type ListingsClient, newShoe, startWatchedListings } from '../../support/listings.ts'
import { US } from '../../support/seller-client.ts'

const db = queryBuilder<ListingTables>()
const KEY = ['seller_id', 'marketplace_id', 'relation', 'parent_sku', 'child_sku']
const CHILDREN = 2_600

interface Item {
  sku: string
  relationships: { relationships: { childSkus: string[] }[] }[]
}

describe('a listing with more variations than the live service has', () => {
  const parents = ['CROWD-1', 'CROWD-2']
  let listings: ListingsClient
  beforeAll(async () => {
    const { souk, database, ...rest } = await startWatchedListings()
    listings = rest.listings
    for (const sku of [...parents, 'SMALL']) await listings.put(sku, newShoe())
    await souk.idle()
    const rows = (parent_sku: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        seller_id: souk.demo.sellerId,
        marketplace_id: US,
        relation: 'VARIATION',
        parent_sku,
        child_sku: `CHILD-${index}`,
      }))
    await database.transact(async (tx) => {
      for (const sku of parents) await upsertMany(tx, 'listing_relations', KEY, rows(sku, CHILDREN))
      await upsertMany(tx, 'listing_relations', KEY, rows('SMALL', 3))
      await tx.run(
        db
          .updateTable('listings')
          .set({ has_relations: 1 })
          .where('sku', 'in', [...parents, 'SMALL']),
      )
    })
  })
  const countOf = ({ relationships }: Item) => relationships[0]?.relationships[0]?.childSkus.length

  test('is returned with 2,000 of them', async () => {
    const item: Item = await listings.read('CROWD-1')
    expect(countOf(item)).toBe(2_000)
  })

  test('does not hide those of other listings on the page of a search', async () => {
    const identifiers = [...parents, 'SMALL'].join(',')
    const query = `${IN_US}&includedData=relationships&identifiersType=SKU&identifiers=${identifiers}&sortBy=sku&sortOrder=ASC`
    const items: Item[] = (await listings.search(query)).json().items
    expect(items.map((item) => [item.sku, countOf(item)])).toEqual([
      ['CROWD-1', 2_000],
      ['CROWD-2', 2_000],
      ['SMALL', 3],
    ])
  })
})
