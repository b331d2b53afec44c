import { sql } from 'kysely'

const columnList = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))
const valueList = (values: readonly (string | number)[]) => sql.join(values.map((value) => sql`${value}`))

/** The tuple of columns is greater than the values, as for the next page. Both databases use the index. */
export const isAfter = (columns: readonly string[], values: readonly (string | number)[]) =>
  sql<boolean>`(${columnList(columns)}) > (${valueList(values)})`

/** The tuple of columns is greater than or equal to the values. */
export const isAtOrAfter = (columns: readonly string[], values: readonly string[]) =>
  sql<boolean>`(${columnList(columns)}) >= (${valueList(values)})`

/** The tuple of columns is less than the values, to walk an index backwards. */
export const isBefore = (columns: readonly string[], values: readonly string[]) =>
  sql<boolean>`(${columnList(columns)}) < (${valueList(values)})`

/** The tuple of columns is less than or equal to the values. */
export const isAtOrBefore = (columns: readonly string[], values: readonly string[]) =>
  sql<boolean>`(${columnList(columns)}) <= (${valueList(values)})`

/** Maximum number of tuples in a statement. Split longer lists with `chunks`. */
export const MAX_TUPLES = 500

/** Splits a list into parts of at most `size` items. */
export function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** The tuple of columns is one of the tuples. SQLite accepts such a list only as VALUES; so does PostgreSQL. */
export const isOneOf = (columns: readonly string[], tuples: readonly (readonly string[])[]) =>
  sql<boolean>`(${columnList(columns)}) in (values ${sql.join(tuples.map((tuple) => sql`(${valueList(tuple)})`))})`
