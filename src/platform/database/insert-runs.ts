import type { Transaction } from './port.ts'
import { queryBuilder } from './query.ts'
import { RowStatements } from './row-statements.ts'
import { prepareInserts } from './upsert.ts'

const db = queryBuilder<Record<string, Record<string, string>>>()

/** Rows that differ in the last column only. */
export interface Run {
  shared: readonly string[]
  last: readonly string[]
}

// SQLite: batches of feeds have 25 products.
const SIZES = [25, 5] as const

/** Writes new rows of a table of texts, of which many differ in the last column only. */
export function prepareRunInserts<TableRow extends Record<string, string>>(
  table: string,
  columns: readonly (keyof TableRow & string)[],
): (tx: Transaction, runs: readonly Run[]) => Promise<void> {
  const insertRows = prepareInserts<Record<string, string>>(table)
  // Rows before an error stay, as in `prepareInserts`.
  const statements = new RowStatements<string>((select) =>
    db
      .insertInto(table)
      .columns([...columns])
      .expression(select)
      .orFail(),
  )
  const isShared = columns.map((_, index) => index < columns.length - 1)

  return async (tx, runs) => {
    if (tx.dialect === 'postgres') return insertRows(tx, runs.flatMap(toRows))
    let left = runs
    for (const size of SIZES) {
      const lists: string[][] = []
      left = left.flatMap(({ shared, last }) => {
        let start = 0
        for (; last.length - start >= size; start += size) lists.push([...shared, ...last.slice(start, start + size)])
        if (start === 0) return [{ shared, last }]
        return start === last.length ? [] : [{ shared, last: last.slice(start) }]
      })
      const statement = statements.find(size, isShared)
      if (statement) await tx.runEach(statement, lists)
    }
    await insertRows(tx, left.flatMap(toRows))
  }

  function toRows({ shared, last }: Run): Record<string, string>[] {
    return last.map((value) => Object.fromEntries(columns.map((column, index) => [column, shared[index] ?? value])))
  }
}
