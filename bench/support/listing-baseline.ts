// Run as a child process with a data file, a seller and a marketplace: receives SKUs, changes the price of each as the
// least that a patch must do (one read, one upsert, one insert) with a separate commit, and sends the number per second.
import { randomUUID } from 'node:crypto'
import Sqlite from 'better-sqlite3'

const [file, sellerId, marketplaceId] = process.argv.slice(2) as [string, string, string]
const sqlite = new Sqlite(file)
sqlite.pragma('journal_mode = wal')
sqlite.pragma('synchronous = full')

const begin = sqlite.prepare('begin immediate')
const commit = sqlite.prepare('commit')
const find = sqlite.prepare('select * from listings where seller_id = ? and sku = ? and marketplace_id = ?')
const columns = sqlite.prepare("select name from pragma_table_info('listings')").pluck().all() as string[]
const upsert = sqlite.prepare(`
  insert into listings (${columns.join(', ')}) values (${columns.map((name) => `@${name}`).join(', ')})
  on conflict (seller_id, sku, marketplace_id) do update set
    offer_attributes = excluded.offer_attributes, updated_at = excluded.updated_at`)
const addEvent = sqlite.prepare('insert into events values (?, ?, ?, ?, ?)')

process.once('disconnect', () => process.exit())
process.on('message', (skus: string[]) => {
  const startedAt = performance.now()
  for (const sku of skus) changePrice(sku)
  process.send?.((skus.length / (performance.now() - startedAt)) * 1000)
})

function changePrice(sku: string): void {
  const now = new Date().toISOString()
  begin.run()
  const row = find.get(sellerId, sku, marketplaceId) as Record<string, unknown>
  upsert.run({ ...row, updated_at: now })
  addEvent.run(randomUUID(), now, sellerId, 'OFFER_CHANGE', '{}')
  commit.run()
}
