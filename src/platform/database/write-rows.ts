import { type AliasedRawBuilder, sql } from 'kysely'
import { encodeBigints, encodeTexts } from './binary-arrays.ts'
import type { Dialect } from './dialect.ts'
import type { Transaction } from './port.ts'
import { type PreparedQuery, prepare, type Query } from './query.ts'
import { chunks } from './tuples.ts'

/** Columns of text, which may be null. */
type TextRow = Record<string, string | null>

export interface RowsWriter<Row> {
  columns: readonly (keyof Row & string)[]
  /** Columns with few different values. PostgreSQL gets each value once. */
  repeated: readonly (keyof Row & string)[]
  /** Writes one row, whose values it gets in the order of the columns. */
  one: PreparedQuery<readonly (string | null)[], unknown>
  /** Writes any number of rows on PostgreSQL. Gets an array for each column, then the values of each repeated one. */
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
  { repeated = [] }: Partial<Pick<RowsWriter<Row>, 'repeated'>> = {},
): RowsWriter<Row> {
  return {
    columns,
    repeated,
    one: prepare((values: readonly (string | null)[]) => {
      const row = columns.map((column, index) => sql`${values[index]} as ${sql.ref(column)}`)
      return build(sql<Row>`(select ${sql.join(row)})`.as('given'))
    }),
    many: prepare((arrays: readonly Buffer[]) => {
      const isRepeated = (column: keyof Row & string) => repeated.includes(column)
      const typed = columns.map(
        (column, index) => sql`${arrays[index]}::${sql.raw(isRepeated(column) ? 'bigint' : 'text')}[]`,
      )
      const names = sql.join(columns.map((column) => sql.ref(column)))
      const columnOf = (column: keyof Row & string) => {
        if (!isRepeated(column)) return sql.ref(column)
        return sql`(${arrays[columns.length + repeated.indexOf(column)]}::text[])[${sql.ref(column)}] as ${sql.ref(column)}`
      }
      const values = sql.join(columns.map(columnOf))
      return build(sql<Row>`(select ${values} from unnest(${sql.join(typed)}) as listed(${names}))`.as('given'))
    }),
  }
}

/** Runs the statement for all rows, and waits for its end: how long it takes decides how long the next step is. */
export async function writeRows<Row extends TextRow>(
  tx: Transaction,
  dialect: Dialect,
  { columns, repeated, one, many }: RowsWriter<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (dialect === 'sqlite') {
    const all = rows.map((row) => columns.map((column) => row[column] as string | null))
    return tx.runEach(one, all)
  }
  for (const some of chunks(rows, MAX_ROWS)) {
    const places = new Map(repeated.map((column) => [column, new Places()]))
    const arrays = columns.map((column) => {
      const texts = some.map((row) => row[column] as string | null)
      const known = places.get(column)
      return known ? encodeBigints(texts.map((text) => known.placeOf(text))) : encodeTexts(texts)
    })
    await tx.run(many, [...arrays, ...[...places.values()].map(({ texts }) => encodeTexts(texts))])
  }
}

/** A list of different texts, whose places count from 1 as in PostgreSQL. */
class Places {
  readonly #places = new Map<string | null, number>()

  placeOf(text: string | null): number {
    let place = this.#places.get(text)
    if (place === undefined) {
      place = this.#places.size + 1
      this.#places.set(text, place)
    }
    return place
  }

  get texts(): (string | null)[] {
    return [...this.#places.keys()]
  }
}
