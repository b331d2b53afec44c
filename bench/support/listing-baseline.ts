// Changes the price of each SKU as the least that a patch must do: one read, one upsert, one insert.
import { randomUUID } from 'node:crypto'
import { serveTransactions } from './transaction-baseline.ts'

serveTransactions(({ sqlite, sellerId, marketplaceId }) => {
  const find = sqlite.prepare('select * from listings where seller_id = ? and sku = ? and marketplace_id = ?')
  const columns = sqlite.prepare("select name from pragma_table_info('listings')").pluck().all() as string[]
  const upsert = sqlite.prepare(`
    insert into listings (${columns.join(', ')}) values (${columns.map((name) => `@${name}`).join(', ')})
    on conflict (seller_id, sku, marketplace_id) do update set
      offer_attributes = excluded.offer_attributes, updated_at = excluded.updated_at`)
  const addEvent = sqlite.prepare('insert into events values (?, ?, ?, ?, ?)')

  return (sku) => {
    const now = new Date().toISOString()
    const row = find.get(sellerId, sku, marketplaceId) as Record<string, unknown>
    upsert.run({ ...row, updated_at: now })
    addEvent.run(randomUUID(), now, sellerId, 'OFFER_CHANGE', '{}')
  }
})
