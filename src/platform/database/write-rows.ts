import { type AliasedRawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import type { Transaction } from './port.ts'
import { type PreparedQuery, prepare, type Query } from './query.ts'

/** Columns of text, which may be null. */
type TextRow = Record<string, string | null>
/** The values of several rows, one row after the other. */
type Values = readonly (string | null)[]

/** Prepared by the number of rows: the largest first, and at last single rows. */
export type RowsWriter<Row> = { columns: readonly (keyof Row & string)[]; sizes: ReadonlyMap<number, SizedWriter> }
type SizedWriter = PreparedQuery<Values, unknown>

const SIZES = [100, 10, 1]

/**
 * Prepares a statement that reads the rows to write from a table with the name `given`. PostgreSQL gets up to 100 rows
 * with a statement, because each statement has a cost on both sides of the connection. SQLite gets one, which is fastest
 * there.
 */
export function prepareWrite<Row extends TextRow>(
  columns: readonly (keyof Row & string)[],
  build: (given: AliasedRawBuilder<Row, 'given'>) => Query<unknown>,
): RowsWriter<Row> {
  const definition = sql`given(${sql.join(columns.map((column) => sql.ref(column)))})`
  const sized = (size: number) =>
    prepare((values: Values, dialect) => {
      if (dialect === 'sqlite') {
        const one = columns.map((column, index) => sql`${values[index]} as ${sql.ref(column)}`)
        return build(sql<Row>`(select ${sql.join(one)})`.as('given'))
      }
      const rows = Array.from({ length: size }, (_, row) => {
        return sql`(${sql.join(columns.map((_, index) => sql`${values[row * columns.length + index]}::text`))})`
      })
      return build(sql<Row>`(values ${sql.join(rows)})`.as<'given'>(definition))
    })
  return { columns, sizes: new Map(SIZES.map((size) => [size, sized(size)])) }
}

/** Runs the statement for all rows. Returns the number of rows that were written. */
export async function writeRows<Row extends TextRow>(
  tx: Transaction,
  dialect: Dialect,
  { columns, sizes }: RowsWriter<Row>,
  rows: readonly Row[],
): Promise<number> {
  const writes: Promise<number>[] = []
  for (let start = 0; start < rows.length; ) {
    const size = dialect === 'sqlite' ? 1 : (SIZES.find((size) => size <= rows.length - start) as number)
    const values: (string | null)[] = []
    for (let row = start; row < start + size; row++) {
      for (const column of columns) values.push(rows[row]?.[column] ?? null)
    }
    // Not awaited, so that they share a round trip.
    writes.push(tx.run(sizes.get(size) as SizedWriter, values))
    start += size
  }
  return (await Promise.all(writes)).reduce((sum, written) => sum + written, 0)
}
