import Sqlite from 'better-sqlite3'
import { demo } from '../../src/dev/demo/index.ts'

const ROWS_IN_TRANSACTION = 20_000
// One in a thousand is unshipped: the orders that software looks for are few among many.
const UNSHIPPED_EVERY = 1_000
const HOUR = 60 * 60 * 1000

export const orderIdOf = (index: number) =>
  `950-${String(index)
    .padStart(14, '0')
    .replace(/(\d{7})(\d{7})/, '$1-$2')}`

/** Copies an order of the demo seller many times, one every half minute, and makes the given number of them unshipped. */
export function fillOrders(file: string, count: number, unshippedEvery = UNSHIPPED_EVERY): void {
  const sqlite = new Sqlite(file)
  try {
    sqlite.pragma('journal_mode = wal')
    // An interrupted bench starts over, so nothing has to survive a crash here.
    sqlite.pragma('synchronous = off')
    const columns = sqlite.prepare('select name from pragma_table_info(?)').pluck()
    const copied = (table: string, replaced: string[]) =>
      (columns.all(table) as string[]).filter((name) => !replaced.includes(name)).join(', ')
    const keptOrder = copied('orders', ['order_id', 'status', 'purchased_at', 'updated_at'])
    const keptItem = copied('order_items', ['order_id', 'quantity_shipped'])
    const from = 'where seller_id = @sellerId and order_id = @example'
    const addOrder = sqlite.prepare(`insert into orders (order_id, status, purchased_at, updated_at, ${keptOrder})
      select @orderId, @status, @time, @time, ${keptOrder} from orders ${from}`)
    const addItem = sqlite.prepare(`insert into order_items (order_id, quantity_shipped, ${keptItem})
      select @orderId, case when @status = 'Shipped' then quantity else 0 end, ${keptItem} from order_items ${from}`)
    const newest = Date.now() - HOUR
    const common = { sellerId: demo.sellerId, example: demo.orders.eligible[0] }
    const addMany = sqlite.transaction((start: number, end: number) => {
      for (let index = start; index < end; index++) {
        const row = {
          ...common,
          orderId: orderIdOf(index),
          status: index % unshippedEvery === 0 ? 'Unshipped' : 'Shipped',
          time: new Date(newest - (count - index) * 30_000).toISOString(),
        }
        addOrder.run(row)
        addItem.run(row)
      }
    })
    for (let start = 0; start < count; start += ROWS_IN_TRANSACTION) {
      addMany(start, Math.min(start + ROWS_IN_TRANSACTION, count))
    }
  } finally {
    sqlite.close()
  }
}
