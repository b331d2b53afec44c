import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.ts'

/**
 * Lists of any length in prepared queries, as one value: JSON. A list of parameters would have to be compiled and planned
 * again for each length, which takes longer than running it.
 */

/** The strings of a JSON array, for `in`. */
export const jsonList = (json: string, dialect: Dialect) =>
  dialect === 'sqlite'
    ? sql`(select value from json_each(${json}))`
    : sql`(select json_array_elements_text(${json}::json))`

/** The strings of a JSON array as the rows of a table with one column. */
export const jsonRows = (json: string, dialect: Dialect, column: string) =>
  dialect === 'sqlite'
    ? sql`(select value as ${sql.ref(column)} from json_each(${json}))`
    : sql`(select json_array_elements_text(${json}::json) as ${sql.ref(column)})`

/**
 * The column, which is a key by itself, is one of the strings of a JSON array. For a column of a longer key, see
 * `lookUpEach`.
 */
export const isInJson = (column: string, json: string, dialect: Dialect) =>
  dialect === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} in ${jsonList(json, dialect)}`
    : sql<boolean>`${sql.ref(column)} = any (array${jsonList(json, dialect)})`

/** The tuple of columns is one of the arrays of strings of a JSON array. */
export function isTupleInJson(columns: readonly string[], json: string, dialect: Dialect) {
  const values = columns.map((_, index) => sql`tuple.value ->> ${sql.lit(index)}`)
  const tuples =
    dialect === 'sqlite' ? sql`json_each(${json}) as tuple` : sql`json_array_elements(${json}::json) as tuple(value)`
  return sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) in (select ${sql.join(values)} from ${tuples})`
}

interface Lookup {
  table: string
  /** Columns that have the same value in all rows: those that an index starts with. */
  within?: Readonly<Record<string, string>>
  /**
   * The columns that the strings of each array are compared with: the next ones of the index. A single one has strings
   * instead of arrays.
   */
  by: readonly string[]
  /** Default: all. */
  columns?: RawBuilder<unknown>
  /** Which row is found if several have the key. */
  orderBy?: string
  /** Locks the rows, in the order of the arrays. */
  forUpdate?: boolean
  /** Finds all rows with a key instead of one. */
  several?: boolean
}

/**
 * Finds a row for each of the arrays of strings of a JSON array, by the index. With a list, PostgreSQL reads the whole
 * table if it was small when it was last analyzed, and a feed makes a table grow much faster than that. SQLite may find
 * several rows.
 */
export function lookUpEach<Row>(json: string, dialect: Dialect, { table, by, ...lookup }: Lookup) {
  const { columns = sql`${sql.table(table)}.*`, within = {}, orderBy, forUpdate = false, several = false } = lookup
  const isEqual = (column: string, value: unknown) => sql`${sql.ref(`${table}.${column}`)} = ${value}`
  const conditionOn = (valueAt: (index: number) => RawBuilder<unknown>) =>
    sql.join(
      [
        ...Object.entries(within).map(([column, value]) => isEqual(column, value)),
        ...by.map((column, index) => isEqual(column, valueAt(index))),
      ],
      sql` and `,
    )
  // SQLite parses the JSON of an array again for each of its strings, which takes as long as the lookup.
  const isText = by.length === 1
  const textAt = (index: number) => (isText ? sql`tuple.value` : sql`tuple.value ->> ${sql.lit(index)}`)
  if (dialect === 'sqlite') {
    const joined = sql<Row>`(select ${columns} from json_each(${json}) as tuple cross join ${sql.table(table)} where ${conditionOn(textAt)})`
    return joined.as('found')
  }
  // A query with an offset or a limit stays one of its own. Otherwise PostgreSQL parses the JSON of a key again for each
  // row that it compares, and may turn the lookups into a join.
  const nameAt = (index: number) => sql.ref(`key_${index}`)
  const texts = sql.join(by.map((_, index) => sql`${textAt(index)} as ${nameAt(index)}`))
  const elements = sql.raw(isText ? 'json_array_elements_text' : 'json_array_elements')
  const keys = sql`(select ${texts} from ${elements}(${json}::json) as tuple(value) offset 0) as given`
  const order = orderBy === undefined ? sql`` : sql`order by ${sql.ref(orderBy)}`
  const range = sql.raw(several ? 'offset 0' : 'limit 1')
  const lock = sql.raw(forUpdate ? 'for update' : '')
  const one = sql`select ${columns} from ${sql.table(table)} where ${conditionOn(nameAt)} ${order} ${range} ${lock}`
  return sql<Row>`(select one.* from ${keys} cross join lateral (${one}) as one)`.as('found')
}

/**
 * A list of keys in one order for all, so that transactions which lock the same rows wait for each other instead of
 * deadlocking.
 */
export const toOrderedList = (keys: readonly (string | readonly string[])[]) => JSON.stringify(keys.toSorted())

/**
 * The row is one of those that `lookUpEach` finds: for deletions. On PostgreSQL, the rows are locked in the order of
 * the arrays (see `toOrderedList`), and one that another transaction is changing at this moment is left out: lock it
 * first where there can be one.
 */
export function isLookedUp(json: string, dialect: Dialect, lookup: Pick<Lookup, 'table' | 'within' | 'by'>) {
  const { table, within = {}, by } = lookup
  if (dialect === 'postgres') {
    const found = lookUpEach(json, dialect, { ...lookup, columns: sql`${sql.ref(`${table}.ctid`)}`, forUpdate: true })
    return sql<boolean>`ctid = any (array(select ctid from ${found}))`
  }
  const isWithin = Object.entries(within).map(([column, value]) => sql`${sql.ref(column)} = ${value} and `)
  const [only] = by
  const isListed =
    only !== undefined && by.length === 1 ? isInJson(only, json, dialect) : isTupleInJson(by, json, dialect)
  return sql<boolean>`${sql.join(isWithin, sql``)}${isListed}`
}
