import { openDatabase } from '../../src/composition/adapters.ts'
import { orderIds as demoOrderIds, demoOrders } from '../../src/dev/demo/orders.ts'
import { upsertOrders } from '../../src/marketplace/trade/orders.ts'

const ORDERS_IN_TRANSACTION = 1_000

/** Stores orders of the demo seller that are all eligible now, and returns their ids. */
export async function seedOrders(file: string, count: number): Promise<string[]> {
  const now = new Date()
  const example = demoOrders(now).find(({ orderId }) => orderId === demoOrderIds.eligible[0])
  if (!example) throw new Error('The demo marketplace has no eligible order')
  const orderIds = Array.from({ length: count }, (_, index) => `901-0000000-${String(index).padStart(7, '0')}`)
  const database = await openDatabase({ kind: 'sqlite', path: file })
  try {
    for (let start = 0; start < count; start += ORDERS_IN_TRANSACTION) {
      const ids = orderIds.slice(start, start + ORDERS_IN_TRANSACTION)
      const orders = ids.map((orderId) => ({ ...example, orderId }))
      await database.transact((tx) => upsertOrders(tx, orders, now))
    }
  } finally {
    await database.close()
  }
  return orderIds
}
