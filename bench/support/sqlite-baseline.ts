// Run as a child process with a data file and a seller: receives orders, sends a solicitation for each of them as
// src/areas/solicitations/store.ts does but each with a separate commit, and sends the number per second.
import Sqlite from 'better-sqlite3'

const [file, sellerId] = process.argv.slice(2) as [string, string]
const sqlite = new Sqlite(file)
sqlite.pragma('journal_mode = wal')
sqlite.pragma('synchronous = full')
sqlite.pragma('foreign_keys = on')

const begin = sqlite.prepare('begin immediate')
const commit = sqlite.prepare('commit')
const findOrder = sqlite.prepare(`
  select orders.order_id, marketplace_id, delivered_at, earliest_delivery_at, latest_delivery_at,
    buyer_accepts_requests, sent_through
  from orders
  left join solicitations on solicitations.seller_id = orders.seller_id and solicitations.order_id = orders.order_id
  where orders.seller_id = ? and orders.order_id = ?`)
const insertSolicitation = sqlite.prepare(`
  insert into solicitations (seller_id, order_id, sent_through, sent_at) values (?, ?, ?, ?) on conflict do nothing`)

process.once('disconnect', () => process.exit())
process.on('message', (orderIds: string[]) => {
  const startedAt = performance.now()
  for (const orderId of orderIds) sendSolicitation(orderId)
  process.send?.((orderIds.length / (performance.now() - startedAt)) * 1000)
})

function sendSolicitation(orderId: string): void {
  begin.run()
  const found = findOrder.get(sellerId, orderId)
  const { changes } = insertSolicitation.run(sellerId, orderId, 'api', new Date().toISOString())
  commit.run()
  if (!found || changes !== 1) throw new Error(`The order ${orderId} is not there or was asked about before`)
}
