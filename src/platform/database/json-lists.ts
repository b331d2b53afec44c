import { sql } from 'kysely'
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

/** The column is one of the strings of a JSON array. */
export const isInJson = (column: string, json: string, dialect: Dialect) =>
  sql<boolean>`${sql.ref(column)} in ${jsonList(json, dialect)}`

/** The tuple of columns is one of the arrays of strings of a JSON array. */
export function isTupleInJson(columns: readonly string[], json: string, dialect: Dialect) {
  const values = columns.map((_, index) => sql`tuple.value ->> ${sql.lit(index)}`)
  const tuples =
    dialect === 'sqlite' ? sql`json_each(${json}) as tuple` : sql`json_array_elements(${json}::json) as tuple(value)`
  return sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) in (select ${sql.join(values)} from ${tuples})`
}
