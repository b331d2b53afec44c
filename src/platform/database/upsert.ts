import { type InsertQueryBuilder, type OnConflictBuilder, sql } from 'kysely'
import { encodeBigints, encodeTexts } from './binary-arrays.ts'
import type { Transaction } from './port.ts'
import { MAX_STATEMENT_VALUES, type PreparedQuery, prepare, queryBuilder } from './query.ts'
import { chunks } from './tuples.ts'

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

/** Writes rows in few statements, each of which is compiled once. For tables to which many rows are written often. */
export type RowsInsert<TableRow> = (tx: Transaction, rows: readonly TableRow[]) => Promise<void>

type Column<TableRow> = keyof TableRow & string
type NumberColumn<TableRow> = {
  [Name in Column<TableRow>]: Extract<TableRow[Name], number> extends never ? never : Name
}[Column<TableRow>]

interface InsertOptions<TableRow> {
  /** All columns of numbers. The others are text. */
  numbers?: readonly NumberColumn<TableRow>[]
  /** A row whose key exists is replaced if the key is given, or kept; otherwise it is an error. */
  existing?: readonly Column<TableRow>[] | 'keep'
  /** Whether many rows differ from the one before in the last column only. SQLite gets the other values once for several rows. */
  hasRuns?: boolean
}

// SQLite: batches of feeds have 25 listings, and each new product about twelve words.
const SIZES = [100, 25, 5, 1]
const RUN_SIZES = [25, 5] as const
// PostgreSQL: bounds what a statement holds in memory.
const ROWS_IN_ARRAYS = 2_000

/** A table with columns of numbers must name them, which the types of its rows cannot at run time. */
type InsertArguments<TableRow> = [NumberColumn<TableRow>] extends [never]
  ? [options?: InsertOptions<TableRow>]
  : [options: InsertOptions<TableRow> & { numbers: readonly NumberColumn<TableRow>[] }]

export function prepareInserts<TableRow extends Record<string, string | number | null>>(
  table: string,
  ...[options = {}]: InsertArguments<TableRow>
): RowsInsert<TableRow> {
  const { numbers = [], existing, hasRuns = false }: InsertOptions<TableRow> = options
  let columns: readonly Column<TableRow>[] = []
  const isNumber = (column: string) => (numbers as readonly string[]).includes(column)
  const onConflict = <Insert extends InsertQueryBuilder<Tables, string, unknown>>(insert: Insert) => {
    if (existing === 'keep') return insert.onConflict((conflict) => conflict.doNothing())
    return existing ? insert.onConflict(replaceOthers(columns, existing)) : insert
  }
  const values = (size: number) =>
    prepare((list: readonly Value[], dialect) => {
      const rows = Array.from({ length: size }, (_, row) =>
        Object.fromEntries(columns.map((column, index) => [column, list[row * columns.length + index] as Value])),
      )
      const insert = onConflict(db.insertInto(table).values(rows))
      // So that an error keeps the rows before it: the transaction is rolled back anyway. Otherwise SQLite first saves a copy of each
      // page that a statement of many rows changes, which took a quarter of the time of writing words.
      return dialect === 'sqlite' && size > 1 ? insert.orFail() : insert
    })
  const one = values(1)
  const sized = new Map(SIZES.map((size) => [size, size === 1 ? one : values(size)]))
  const runs = new Map(
    RUN_SIZES.map((size) => [
      size,
      prepare((list: readonly Value[]) => {
        const shared = columns.slice(1).map((_, index) => list[index])
        const last = Array.from({ length: size }, (_, index) => sql`(${list[shared.length + index]})`)
        const select = sql`select ${sql.join(shared)}, column1 from (values ${sql.join(last)})`
        return onConflict(
          db
            .insertInto(table)
            .columns([...columns])
            .expression(select),
        ).orFail()
      }),
    ]),
  )
  // On both sides, an array costs a fraction of a value for each row.
  const arrays = prepare((list: readonly Buffer[]) => {
    const typed = columns.map(
      (column, index) => sql`${list[index]}::${sql.raw(isNumber(column) ? 'bigint' : 'text')}[]`,
    )
    return onConflict(
      db
        .insertInto(table)
        .columns([...columns])
        // Side by side, and not in the from clause, where PostgreSQL would first write all rows to a temporary store.
        .expression(sql`select ${sql.join(typed.map((array) => sql`unnest(${array})`))}`),
    )
  })

  return async (tx, rows) => {
    // Most changes of a listing write one row to a few of many tables.
    if (rows.length === 0) return
    if (columns.length === 0) columns = Object.keys(rows[0] ?? {})
    if (rows.length === 1) return tx.runEach(one, [valuesOf(rows, 0, 1)])
    if (tx.dialect === 'postgres') return writeArrays(tx, rows)
    const others = hasRuns ? await writeRuns(tx, rows) : rows
    let start = 0
    for (const [size, statement] of sized) {
      const count = Math.floor((others.length - start) / size)
      if (count === 0) continue
      const lists = Array.from({ length: count }, (_, index) => valuesOf(others, start + index * size, size))
      await tx.runEach(statement, lists)
      start += count * size
    }
  }

  /** Writes rows that differ in the last column only. Returns the others. */
  async function writeRuns(tx: Transaction, rows: readonly TableRow[]): Promise<readonly TableRow[]> {
    const others: TableRow[] = []
    const shared = columns.slice(0, -1)
    const last = columns.at(-1) as Column<TableRow>
    const lists = new Map(RUN_SIZES.map((size) => [size, [] as Value[][]]))
    for (let start = 0; start < rows.length; ) {
      const first = rows[start] as TableRow
      let end = start + 1
      while (end < rows.length && shared.every((column) => rows[end]?.[column] === first[column])) end++
      for (const size of RUN_SIZES) {
        for (; end - start >= size; start += size) {
          const own = rows.slice(start, start + size).map((row) => row[last] as Value)
          lists.get(size)?.push([...shared.map((column) => first[column] as Value), ...own])
        }
      }
      for (; start < end; start++) others.push(rows[start] as TableRow)
    }
    for (const size of RUN_SIZES) {
      await tx.runEach(runs.get(size) as PreparedQuery<readonly Value[], unknown>, lists.get(size) ?? [])
    }
    return others
  }

  function valuesOf(rows: readonly TableRow[], start: number, count: number): Value[] {
    const list: Value[] = []
    for (let row = start; row < start + count; row++) {
      for (const column of columns) list.push((rows[row] as TableRow)[column] as Value)
    }
    return list
  }

  async function writeArrays(tx: Transaction, rows: readonly TableRow[]): Promise<void> {
    for (const some of chunks(rows, ROWS_IN_ARRAYS)) {
      const lists = columns.map((column) => {
        const list = some.map((row) => row[column])
        return isNumber(column) ? encodeBigints(list as (number | null)[]) : encodeTexts(list as (string | null)[])
      })
      await tx.runEach(arrays, [lists])
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
