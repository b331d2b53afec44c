import { type InsertQueryBuilder, type OnConflictBuilder, type RawBuilder, sql } from 'kysely'
import { encodeBigints, encodeTexts } from './binary-arrays.ts'
import type { Transaction } from './port.ts'
import { MAX_STATEMENT_VALUES, type PreparedQuery, prepare, queryBuilder } from './query.ts'
import { type RowStatement, RowStatements } from './row-statements.ts'
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
}

// SQLite: batches of feeds have 25 listings.
const SIZES = [100, 25, 5, 1]
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
  const { numbers = [], existing }: InsertOptions<TableRow> = options
  let columns: readonly Column<TableRow>[] = []
  const isNumber = (column: string) => (numbers as readonly string[]).includes(column)
  const onConflict = <Insert extends InsertQueryBuilder<Tables, string, unknown>>(insert: Insert) => {
    if (existing === 'keep') return insert.onConflict((conflict) => conflict.doNothing())
    return existing ? insert.onConflict(replaceOthers(columns, existing)) : insert
  }
  const one = prepare((list: readonly Value[]) =>
    onConflict(
      db.insertInto(table).values(Object.fromEntries(columns.map((column, index) => [column, list[index] as Value]))),
    ),
  )
  // An error keeps the rows before it, because the transaction is rolled back anyway. Otherwise SQLite first saves a
  // copy of each page that a statement of many rows changes, which took a quarter of the time of writing words.
  const several = new RowStatements<Value>((select) => onConflict(insertColumns(select)).orFail())
  const insertColumns = (select: RawBuilder<unknown>) =>
    db
      .insertInto(table)
      .columns([...columns])
      .expression(select)
  // On both sides, an array costs a fraction of a value for each row.
  const arrays = prepare((list: readonly Buffer[]) => {
    const typed = columns.map(
      (column, index) => sql`${list[index]}::${sql.raw(isNumber(column) ? 'bigint' : 'text')}[]`,
    )
    // Side by side, and not in the from clause, where PostgreSQL would first write all rows to a temporary store.
    return onConflict(insertColumns(sql`select ${sql.join(typed.map((array) => sql`unnest(${array})`))}`))
  })

  return async (tx, rows) => {
    // Most changes of a listing write one row to a few of many tables.
    if (rows.length === 0) return
    if (columns.length === 0) columns = Object.keys(rows[0] ?? {})
    if (rows.length === 1) return writeTogether(tx, rows)
    if (tx.dialect === 'postgres') return writeArrays(tx, rows)
    let start = 0
    for (const size of SIZES) {
      for (; rows.length - start >= size; start += size) await writeTogether(tx, rows.slice(start, start + size))
    }
  }

  function writeTogether(tx: Transaction, rows: readonly TableRow[]): Promise<void> {
    const [first] = rows as [TableRow]
    if (rows.length === 1) return tx.runEach(one, [columns.map((column) => first[column] as Value)])
    const last = columns.length - 1
    // Not the last one, because SQL has no rows without columns.
    const isShared = columns.map((column, index) => index < last && rows.every((row) => row[column] === first[column]))
    const found = several.find(rows.length, isShared)
    if (found) return tx.runEach(found, [valuesOf(rows, isShared)])
    const nothing = columns.map(() => false)
    return tx.runEach(several.find(rows.length, nothing) as RowStatement<Value>, [valuesOf(rows, nothing)])
  }

  function valuesOf(rows: readonly TableRow[], isShared: readonly boolean[]): Value[] {
    const [first] = rows as [TableRow]
    const values = columns.filter((_, index) => isShared[index]).map((column) => first[column] as Value)
    const others = columns.filter((_, index) => !isShared[index])
    for (const row of rows) {
      for (const column of others) values.push(row[column] as Value)
    }
    return values
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
