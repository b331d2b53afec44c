import type { Transaction } from './port.ts'
import { MAX_STATEMENT_VALUES, queryBuilder } from './query.ts'

type Row = Record<string, string | number | Uint8Array | null>
const db = queryBuilder<Record<string, Row>>()

/** Inserts rows, or replaces the other columns of rows whose key exists, in as few statements as possible. */
export async function upsertMany(tx: Transaction, table: string, keyColumns: string[], rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const otherColumns = columns.filter((column) => !keyColumns.includes(column))
  const rowsInStatement = Math.floor(MAX_STATEMENT_VALUES / Math.max(columns.length, 1))
  for (let start = 0; start < rows.length; start += rowsInStatement) {
    const chunk = rows.slice(start, start + rowsInStatement)
    await tx.run(
      db
        .insertInto(table)
        .values(chunk)
        .onConflict((conflict) => {
          const target = conflict.columns(keyColumns)
          if (otherColumns.length === 0) return target.doNothing()
          return target.doUpdateSet((eb) =>
            Object.fromEntries(otherColumns.map((column) => [column, eb.ref(`excluded.${column}`)])),
          )
        }),
    )
  }
}
