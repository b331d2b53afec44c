// Ships a package of each order, as src/marketplace/trade/orders.ts does.
import { serveTransactions } from './transaction-baseline.ts'

serveTransactions(({ sqlite, sellerId }) => {
  const findOrder = sqlite.prepare('select * from orders where seller_id = ? and order_id = ?')
  const findItems = sqlite.prepare('select * from order_items where seller_id = ? and order_id = ?')
  const findPackages = sqlite.prepare('select * from order_packages where seller_id = ? and order_id = ?')
  const updateOrder = sqlite.prepare(
    "update orders set status = 'Shipped', updated_at = ?, shipped_at = ? where seller_id = ? and order_id = ?",
  )
  const updateItems = sqlite.prepare(
    'update order_items set quantity_shipped = quantity where seller_id = ? and order_id = ?',
  )
  const insertPackage = sqlite.prepare(`insert into order_packages
    (seller_id, order_id, package_reference_id, carrier_code, tracking_number, shipped_at, created_at, items)
    values (?, ?, '1', 'UPS', '1Z50', ?, ?, ?)`)
  const insertEvent = sqlite.prepare(
    "insert into events (event_id, occurred_at, seller_id, event_type, payload) values (?, ?, ?, 'ORDER_CHANGE', ?)",
  )
  let events = 0

  return (orderId) => {
    const now = new Date().toISOString()
    const order = findOrder.get(sellerId, orderId)
    const items = findItems.all(sellerId, orderId)
    findPackages.all(sellerId, orderId)
    updateOrder.run(now, now, sellerId, orderId)
    updateItems.run(sellerId, orderId)
    insertPackage.run(sellerId, orderId, now, now, JSON.stringify(items))
    insertEvent.run(`bench-${String(++events).padStart(10, '0')}`, now, sellerId, JSON.stringify({ order, items }))
  }
})
