import Sqlite from 'better-sqlite3'
import { demo } from '../../src/dev/demo/index.ts'

// One in a thousand is unshipped: the orders that software looks for are few among many.
const UNSHIPPED_EVERY = 1_000
const HOUR = 60 * 60 * 1000
const SECONDS_BETWEEN = 30

export const orderIdOf = (index: number) =>
  `950-${String(index)
    .padStart(14, '0')
    .replace(/(\d{7})(\d{7})/, '$1-$2')}`

/** Copies an order of the demo seller many times, one every half minute, and leaves one of each given number unshipped. */
export function fillOrders(file: string, count: number, unshippedEvery = UNSHIPPED_EVERY): void {
  const sqlite = new Sqlite(file)
  try {
    // An interrupted bench starts over, so nothing has to survive a crash here.
    sqlite.pragma('journal_mode = off')
    sqlite.pragma('synchronous = off')
    sqlite.pragma('cache_size = -500000')
    const indexes = dropIndexes(sqlite)
    const columns = sqlite.prepare('select name from pragma_table_info(?)').pluck()
    const copied = (table: string, replaced: string[]) =>
      (columns.all(table) as string[]).filter((name) => !replaced.includes(name)).join(', ')
    const keptOrder = copied('orders', ['order_id', 'status', 'purchased_at', 'updated_at'])
    const keptItem = copied('order_items', ['order_id', 'quantity_shipped'])
    const fill = `with recursive numbers (number) as (
        select 0 union all select number + 1 from numbers where number + 1 < @count
      ),
      copies as (
        select printf('950-%07d-%07d', number / 10000000, number % 10000000) as copy_id,
          case when number % @unshippedEvery = 0 then 'Unshipped' else 'Shipped' end as copy_status,
          strftime('%Y-%m-%dT%H:%M:%fZ', @newest - (@count - number) * ${SECONDS_BETWEEN}, 'unixepoch') as time
        from numbers
      )`
    const values = {
      count,
      unshippedEvery,
      newest: Math.floor((Date.now() - HOUR) / 1000),
      sellerId: demo.sellerId,
      example: demo.orders.eligible[0],
    }
    const from = 'where seller_id = @sellerId and order_id = @example'
    sqlite
      .prepare(`insert into orders (order_id, status, purchased_at, updated_at, ${keptOrder}) ${fill}
        select copy_id, copy_status, time, time, ${keptOrder} from copies join (select * from orders ${from})`)
      .run(values)
    sqlite
      .prepare(`insert into order_items (order_id, quantity_shipped, ${keptItem}) ${fill}
        select copy_id, case when copy_status = 'Shipped' then quantity else 0 end, ${keptItem}
        from copies join (select * from order_items ${from})`)
      .run(values)
    for (const index of indexes) sqlite.exec(index)
  } finally {
    sqlite.close()
  }
}

/** Building an index at the end is several times faster than adding row by row. Returns the statements. */
function dropIndexes(sqlite: Sqlite.Database): string[] {
  const indexes = sqlite
    .prepare("select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name like 'order%'")
    .all() as { name: string; sql: string }[]
  for (const { name } of indexes) sqlite.exec(`drop index ${name}`)
  return indexes.map(({ sql }) => sql)
}
