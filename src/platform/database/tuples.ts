import { sql } from 'kysely'

const columnList = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))
const valueList = (values: readonly string[]) => sql.join(values.map((value) => sql`${value}`))

/** The columns together come after the values: where the next page starts. Both databases walk the index for it. */
export const isAfter = (columns: readonly string[], values: readonly string[]) =>
  sql<boolean>`(${columnList(columns)}) > (${valueList(values)})`

/** The columns together are the values, or come after them. */
export const isAtOrAfter = (columns: readonly string[], values: readonly string[]) =>
  sql<boolean>`(${columnList(columns)}) >= (${valueList(values)})`

/** The columns together come before the values: for walking an index backwards. */
export const isBefore = (columns: readonly string[], values: readonly string[]) =>
  sql<boolean>`(${columnList(columns)}) < (${valueList(values)})`

/** The columns together are the values, or come before them. */
export const isAtOrBefore = (columns: readonly string[], values: readonly string[]) =>
  sql<boolean>`(${columnList(columns)}) <= (${valueList(values)})`

/** How many tuples are looked up in one statement: more go into several, see `chunks`. */
export const MAX_TUPLES = 500

/** Lists of any length, cut into such as one statement takes. */
export function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** The columns together are one of the tuples. SQLite takes such a list only as VALUES; PostgreSQL takes that too. */
export const isOneOf = (columns: readonly string[], tuples: readonly (readonly string[])[]) =>
  sql<boolean>`(${columnList(columns)}) in (values ${sql.join(tuples.map((tuple) => sql`(${valueList(tuple)})`))})`
