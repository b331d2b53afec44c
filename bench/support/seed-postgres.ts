import pg from 'pg'
import { demo } from '../../src/dev/demo/index.ts'
import { startSouk } from '../../src/index.ts'
import { skuOf } from './seed-listings.ts'
import { asinOf, OFFERS_OF_PRODUCT } from './seed-offers.ts'

export interface SeededRows {
  listings: number
  products: number
}

/** The demo marketplace, with more listings and more products like the first of the demo. */
export async function seedPostgres(url: string, { listings, products }: SeededRows) {
  await (await startSouk({ database: url })).stop()
  const client = new pg.Client(url)
  await client.connect()
  try {
    const [asin] = demo.asins
    const { sellerId, marketplaceId } = demo
    const market = { marketplace_id: marketplaceId, asin }
    const listing = { seller_id: sellerId, sku: demo.skus[0], marketplace_id: marketplaceId }
    const copy = (table: string, key: Record<string, unknown>, changes: Record<string, string>, count: number) =>
      copyRow(client, { table, key, changes, count })
    const sku = `'${skuOf(0).slice(0, -7)}' || lpad(n::text, 7, '0')`
    const ownAsin = `'B1' || lpad(n::text, 8, '0')`
    await copy('listings', listing, { sku, asin: ownAsin }, listings)
    await copy('offers', { ...market, ...listing }, { sku, asin: ownAsin }, listings)
    const product = `'${asinOf(0).slice(0, -8)}' || lpad((n / ${OFFERS_OF_PRODUCT})::text, 8, '0')`
    await copy('catalog_items', market, { asin: `'${asinOf(0).slice(0, -8)}' || lpad(n::text, 8, '0')` }, products)
    const competitor = {
      asin: product,
      seller_id: `'ABENCHRIVAL' || lpad((n % ${OFFERS_OF_PRODUCT})::text, 3, '0')`,
      sku: `'-'`,
      price_minor: '1000 + n * 37 % 9000',
      from_listing: '0',
    }
    await copy('offers', { ...market, ...listing }, competitor, products * OFFERS_OF_PRODUCT)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

interface Copies {
  table: string
  key: Record<string, unknown>
  /** Expressions of `n`, the number of the copy. */
  changes: Record<string, string>
  count: number
}

async function copyRow(client: pg.Client, { table, key, changes, count }: Copies): Promise<void> {
  const { fields } = await client.query(`select * from ${table} limit 0`)
  const columns = fields.map(({ name }) => name)
  const values = columns.map((name) => changes[name] ?? `example.${name}`)
  const condition = Object.keys(key).map((name, index) => `example.${name} = $${index + 2}`)
  await client.query(
    `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}
     from ${table} as example, generate_series(0, $1::bigint - 1) as n where ${condition.join(' and ')}`,
    [count, ...Object.values(key)],
  )
}
