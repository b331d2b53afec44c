// Large enough that the price of a query is spread thin, small enough that a page is little memory. Of a thousand rows,
// the text is so long that the engine treats it as a large object, and lets a hundred megabytes of them pile up.
export const PAGE_ROWS = 250

/**
 * Reads rows a page at a time, each page beginning after the last row of the one before. No transaction stays open: on
 * SQLite it would keep the log from being trimmed, on PostgreSQL old rows from being removed, for as long as it takes.
 */
export async function* readPages<Row>(
  readPage: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<[Row, ...Row[]]> {
  let after: Row | undefined
  for (;;) {
    const rows = await readPage(after)
    if (rows.length > 0) yield rows as [Row, ...Row[]]
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)
  }
}
