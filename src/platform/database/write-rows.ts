import { type AliasedRawBuilder, sql } from 'kysely'
import { encodeTexts } from './binary-arrays.ts'
import type { Dialect } from './dialect.ts'
import type { Transaction } from './port.ts'
import { type PreparedQuery, prepare, type Query } from './query.ts'
import { chunks } from './tuples.ts'

/** Columns of text, which may be null. */
type TextRow = Record<string, string | null>

export interface RowsWriter<Row> {
  columns: readonly (keyof Row & string)[]
  /** Writes one row, whose values it gets in the order of the columns. */
  one: PreparedQuery<readonly (string | null)[], unknown>
  /** Writes any number of rows on PostgreSQL. Gets an array for each column. */
  many: PreparedQuery<readonly Buffer[], unknown>
}

// Bounds what a statement holds in memory. A step of a fan-out has fewer.
const MAX_ROWS = 1_000

/**
 * Prepares a statement that reads the rows to write from a table with the name `given`. PostgreSQL gets all rows with one
 * statement, because each statement and each value has a cost on both sides of the connection. SQLite gets one row with a
 * statement, which is fastest there.
 */
export function prepareWrite<Row extends TextRow>(
  columns: readonly (keyof Row & string)[],
  build: (given: AliasedRawBuilder<Row, 'given'>) => Query<unknown>,
): RowsWriter<Row> {
  return {
    columns,
    one: prepare((values: readonly (string | null)[]) => {
      const row = columns.map((column, index) => sql`${values[index]} as ${sql.ref(column)}`)
      return build(sql<Row>`(select ${sql.join(row)})`.as('given'))
    }),
    many: prepare((arrays: readonly Buffer[]) => {
      const typed = columns.map((_, index) => sql`${arrays[index]}::text[]`)
      const definition = sql`given(${sql.join(columns.map((column) => sql.ref(column)))})`
      return build(sql<Row>`unnest(${sql.join(typed)})`.as<'given'>(definition))
    }),
  }
}

/** Runs the statement for all rows, and waits for its end: how long it takes decides how long the next step is. */
export async function writeRows<Row extends TextRow>(
  tx: Transaction,
  dialect: Dialect,
  { columns, one, many }: RowsWriter<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (dialect === 'sqlite') {
    const all = rows.map((row) => columns.map((column) => row[column] as string | null))
    return tx.runEach(one, all)
  }
  for (const some of chunks(rows, MAX_ROWS)) {
    const arrays = columns.map((column) => encodeTexts(some.map((row) => row[column] as string | null)))
    await tx.run(many, arrays)
  }
}
