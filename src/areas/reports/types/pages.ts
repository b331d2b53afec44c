import type { Database, Reader } from '../../../platform/database/port.ts'

// Large enough to spread the cost of a query, small enough to need little memory. The text of 1,000 rows is so long that
// V8 allocates it as a large object, and a hundred megabytes of those accumulate before they are collected.
export const PAGE_ROWS = 250

export interface RowPage<Row> {
  after: Row | undefined
  limit: number
}

/**
 * Reads rows in pages; each page starts after the last row of the previous one. No transaction stays open: for the
 * duration of a report it would keep SQLite from trimming its log, and PostgreSQL from removing old rows.
 */
export async function* readPages<Row>(
  database: Database,
  listRows: (reader: Reader, page: RowPage<Row>) => Promise<Row[]>,
): AsyncGenerator<[Row, ...Row[]]> {
  let after: Row | undefined
  for (;;) {
    const rows = await database.readLarge((reader) => listRows(reader, { after, limit: PAGE_ROWS }))
    if (rows.length > 0) yield rows as [Row, ...Row[]]
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)
  }
}
