import type { OnConflictBuilder } from 'kysely'
import type { Transaction } from './port.ts'
import { MAX_STATEMENT_VALUES, type PreparedQuery, prepare, queryBuilder } from './query.ts'

type Value = string | number | Uint8Array | null
type Row = Record<string, Value>
type Tables = Record<string, Row>
const db = queryBuilder<Tables>()

/** Inserts rows, or replaces the other columns of rows whose key exists, in as few statements as possible. */
export async function upsertMany(tx: Transaction, table: string, keyColumns: string[], rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const rowsInStatement = Math.floor(MAX_STATEMENT_VALUES / Math.max(columns.length, 1))
  for (let start = 0; start < rows.length; start += rowsInStatement) {
    const chunk = rows.slice(start, start + rowsInStatement)
    await tx.run(db.insertInto(table).values(chunk).onConflict(replaceOthers(columns, keyColumns)))
  }
}

/** Prepares the upsert of one row, for tables that are written often. */
export const prepareUpsert = <TableRow extends Row>(
  table: string,
  keyColumns: readonly string[],
): PreparedQuery<TableRow, unknown> =>
  prepare((row: TableRow) =>
    db
      .insertInto(table)
      .values({ ...row })
      .onConflict(replaceOthers(Object.keys(row), keyColumns)),
  )

/** Writes rows in a few statements of a fixed size, each of which is compiled once. For tables to which many rows are written often. */
export type RowsInsert<TableRow extends Row> = (tx: Transaction, rows: readonly TableRow[]) => Promise<void>

// Batches of feeds have 25 or 100 listings.
const SIZES = [100, 25, 5, 1]

/** A row whose key exists is replaced if the key is given, or kept; otherwise it is an error. */
export function prepareInserts<TableRow extends Row>(
  table: string,
  existing?: readonly string[] | 'keep',
): RowsInsert<TableRow> {
  let columns: readonly string[] = []
  const sized = (size: number) =>
    prepare((values: readonly Value[]) => {
      const rows = Array.from({ length: size }, (_, row) =>
        Object.fromEntries(columns.map((column, index) => [column, values[row * columns.length + index] as Value])),
      )
      const insert = db.insertInto(table).values(rows)
      if (existing === 'keep') return insert.onConflict((conflict) => conflict.doNothing())
      return existing ? insert.onConflict(replaceOthers(columns, existing)) : insert
    })
  const statements = new Map(SIZES.map((size) => [size, sized(size)]))

  return async (tx, rows) => {
    if (columns.length === 0) columns = Object.keys(rows[0] ?? {})
    for (let start = 0; start < rows.length; ) {
      const size = SIZES.find((one) => one <= rows.length - start) as number
      const values: Value[] = []
      for (const row of rows.slice(start, start + size)) {
        for (const column of columns) values.push(row[column] as Value)
      }
      await tx.runEach(statements.get(size) as PreparedQuery<readonly Value[], unknown>, [values])
      start += size
    }
  }
}

const replaceOthers =
  (columns: readonly string[], keyColumns: readonly string[]) => (conflict: OnConflictBuilder<Tables, string>) => {
    const others = columns.filter((column) => !keyColumns.includes(column))
    const target = conflict.columns([...keyColumns])
    if (others.length === 0) return target.doNothing()
    return target.doUpdateSet((eb) =>
      Object.fromEntries(others.map((column) => [column, eb.ref(`excluded.${column}`)])),
    )
  }
