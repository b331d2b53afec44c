import type { OnConflictBuilder } from 'kysely'
import type { Transaction } from './port.ts'
import { MAX_STATEMENT_VALUES, type PreparedQuery, prepare, queryBuilder } from './query.ts'

type Row = Record<string, string | number | Uint8Array | null>
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

const replaceOthers =
  (columns: readonly string[], keyColumns: readonly string[]) => (conflict: OnConflictBuilder<Tables, string>) => {
    const others = columns.filter((column) => !keyColumns.includes(column))
    const target = conflict.columns([...keyColumns])
    if (others.length === 0) return target.doNothing()
    return target.doUpdateSet((eb) =>
      Object.fromEntries(others.map((column) => [column, eb.ref(`excluded.${column}`)])),
    )
  }
