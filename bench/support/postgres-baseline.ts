// Run as a child process with a database, a seller, a marketplace and a pool size: receives a kind and keys, does the least
// that a request of that kind must do for each key, over the bare driver, and sends the number per second.
import pg from 'pg'

export interface PostgresQuestion {
  kind: 'listing' | 'patch' | 'summary'
  keys: string[]
}

const [url, sellerId, marketplaceId, poolSize] = process.argv.slice(2) as [string, string, string, string]
const CONCURRENCY = 32
const CONFLICT = '40001'
const pool = new pg.Pool({ connectionString: url, max: Number(poolSize) })

const listing = {
  name: 'listing',
  text: 'select * from listings where seller_id = $1 and sku = $2 and marketplace_id = $3',
}
const update = {
  name: 'update',
  text: 'update listings set offer_attributes = $4, updated_at = $5 where seller_id = $1 and sku = $2 and marketplace_id = $3',
}
const summary = { name: 'summary', text: 'select * from market_summaries where marketplace_id = $1 and asin = $2' }

const kinds: Record<PostgresQuestion['kind'], (key: string) => Promise<unknown>> = {
  listing: (sku) => pool.query({ ...listing, values: [sellerId, sku, marketplaceId] }),
  summary: (asin) => pool.query({ ...summary, values: [marketplaceId, asin] }),
  async patch(sku) {
    const client = await pool.connect()
    const key = [sellerId, sku, marketplaceId]
    try {
      await client.query('begin isolation level serializable')
      const { rows } = await client.query({ ...listing, values: key })
      await client.query({ ...update, values: [...key, rows[0]?.offer_attributes, new Date().toISOString()] })
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      if ((error as pg.DatabaseError).code !== CONFLICT) throw error
    } finally {
      client.release()
    }
  },
}

process.once('disconnect', () => process.exit())
process.on('message', async ({ kind, keys }: PostgresQuestion) => {
  const startedAt = performance.now()
  let next = 0
  const work = async () => {
    while (next < keys.length) await kinds[kind](keys[next++] as string)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  process.send?.((keys.length / (performance.now() - startedAt)) * 1000)
})
