import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ListingTables } from '../../../src/areas/listings/tables.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import { queryBuilder } from '../../../src/platform/database/query.ts'
import { IN_BOTH, IN_US, type ListingsClient, startWatchedListings } from '../../support/listings.ts'
import { HOUR } from '../../support/seller-client.ts'

interface Page {
  numberOfResults: number
  pagination: { nextToken?: string; previousToken?: string }
  items: { sku: string }[]
}

const COPIES = 10_500
const db = queryBuilder<ListingTables>()

/** Copies of one listing, created and updated later than all others. */
async function copyListing(database: Database, sku: string, at: string): Promise<void> {
  await database.transact(async (tx) => {
    const listing = await tx.first(db.selectFrom('listings').selectAll().where('sku', '=', sku).limit(1))
    const columns = Object.keys(listing ?? {}) as (keyof ListingTables['listings'])[]
    const replaced: Record<string, unknown> = { sku: sql`'COPY-' || n`, created_at: sql`${at}`, updated_at: sql`${at}` }
    const values = columns.map((column) => replaced[column] ?? sql.ref(column))
    const copies = sql`select ${sql.join(values)} from listings cross join (
        with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(COPIES)})
        select n from numbers
      ) as numbers
      where sku = ${sku} and marketplace_id = ${listing?.marketplace_id}`
    await tx.run(db.insertInto('listings').columns(columns).expression(copies))
  })
}

describe('a search of a seller with many listings', () => {
  let listings: ListingsClient
  let filter: string
  beforeAll(async () => {
    const watched = await startWatchedListings()
    listings = watched.listings
    const now = watched.souk.clock.now()
    filter = `createdBefore=${now.toISOString()}&pageSize=20`
    before = { one: await walk(`${IN_US}&${filter}`), both: await walk(`${IN_BOTH}&${filter}`) }
    const [any] = before.one.flatMap(({ items }) => items)
    await copyListing(watched.database, any?.sku as string, new Date(now.getTime() + HOUR).toISOString())
  })
  let before: { one: Page[]; both: Page[] }

  async function walk(query: string, direction: 'nextToken' | 'previousToken' = 'nextToken', start = '') {
    const pages: Page[] = []
    let token: string | undefined = start
    while (token !== undefined) {
      const response = await listings.search(token === '' ? query : `${query}&pageToken=${token}`)
      expect(response.statusCode, response.body).toBe(200)
      const page: Page = response.json()
      pages.push(page)
      token = page.pagination[direction]
    }
    return pages
  }
  const skusOf = (pages: readonly Page[]) => pages.flatMap(({ items }) => items.map(({ sku }) => sku))

  test('tests a filter without an index on 10,000 listings per page, and the next page continues', async () => {
    for (const [query, expected] of [
      [`${IN_US}&${filter}`, before.one],
      [`${IN_BOTH}&${filter}`, before.both],
    ] as const) {
      const pages = await walk(query)
      expect(pages[0]).toMatchObject({ items: [], numberOfResults: 0, pagination: { nextToken: expect.any(String) } })
      expect(pages[1]?.items).toHaveLength(20)
      expect(skusOf(expected).length).toBeGreaterThan(100)
      expect(skusOf(pages)).toEqual(skusOf(expected))

      const back = await walk(query, 'previousToken', pages[1]?.pagination.previousToken)
      expect(back.map(({ items }) => items.length)).toEqual([0, 0])
      const forward = back[0]?.pagination.nextToken
      expect(forward).toEqual(expect.any(String))
      const again = await walk(query, 'nextToken', forward)
      expect(skusOf(again)).toEqual(skusOf(expected))
    }
  })

  test('finds at once what its order or an index selects', async () => {
    const first = async (query: string) => (await listings.search(query)).json() as Page
    expect((await first(`${IN_US}&${filter}&sortBy=createdDate`)).items).toHaveLength(20)
    const named = skusOf(before.one).slice(-3)
    const bySku = await first(`${IN_US}&${filter}&identifiersType=SKU&identifiers=${named.join(',')}`)
    expect(skusOf([bySku])).toEqual(named)
    expect(bySku.numberOfResults).toBe(3)
    const { items } = (await listings.search(`${IN_US}&${filter}&sortBy=createdDate&sortOrder=ASC`)).json()
    const [{ fnSku }] = items.flatMap(({ summaries }: { summaries: { fnSku?: string }[] }) =>
      summaries.filter((summary) => summary.fnSku !== undefined),
    )
    expect((await first(`${IN_US}&${filter}&identifiersType=FNSKU&identifiers=${fnSku}`)).items).toHaveLength(1)
  })
})
