// Sends a solicitation for each order, as src/areas/solicitations/store.ts does.
import { serveTransactions } from './transaction-baseline.ts'

serveTransactions(({ sqlite, sellerId }) => {
  const findOrder = sqlite.prepare(`
    select orders.order_id, marketplace_id, delivered_at, earliest_delivery_at, latest_delivery_at,
      buyer_accepts_requests, sent_through
    from orders
    left join solicitations on solicitations.seller_id = orders.seller_id and solicitations.order_id = orders.order_id
    where orders.seller_id = ? and orders.order_id = ?`)
  const insertSolicitation = sqlite.prepare(`
    insert into solicitations (seller_id, order_id, sent_through, sent_at) values (?, ?, ?, ?) on conflict do nothing`)

  return (orderId) => {
    const found = findOrder.get(sellerId, orderId)
    const { changes } = insertSolicitation.run(sellerId, orderId, 'api', new Date().toISOString())
    if (!found || changes !== 1) throw new Error(`The order ${orderId} is not there or was asked about before`)
  }
})
