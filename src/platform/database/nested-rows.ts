import { type AliasedRawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.ts'

interface NestedRows<Row> {
  table: string
  columns: readonly (keyof Row & string)[]
  /** The outer table, and the columns that are equal in both. */
  of: string
  by: readonly string[]
}

/**
 * The rows of a table that belong to a row, as JSON in a column of the statement that reads it. Statements share no
 * snapshot, so one of its own could read what was committed after the row was read.
 */
export function nestRows<Row, Alias extends string>(
  dialect: Dialect,
  { table, columns, of, by }: NestedRows<Row>,
  alias: Alias,
): AliasedRawBuilder<string | null, Alias> {
  const [list, object] = dialect === 'sqlite' ? ['json_group_array', 'json_object'] : ['json_agg', 'json_build_object']
  const fields = columns.map((column) => sql`${sql.lit(column)}, ${sql.ref(`nested.${column}`)}`)
  const row = sql`${sql.raw(object)}(${sql.join(fields)})`
  const isOfRow = by.map((column) => sql`${sql.ref(`nested.${column}`)} = ${sql.ref(`${of}.${column}`)}`)
  return sql<string | null>`(
    select cast(${sql.raw(list)}(${row}) as text)
    from ${sql.table(table)} as nested where ${sql.join(isOfRow, sql` and `)}
  )`.as(alias)
}

/** Returns nested rows sorted by a column with ASCII texts. Sorting so few in the statement takes longer. */
export function parseNested<Row>(json: string | null, orderBy: keyof Row): Row[] {
  // Of no rows, PostgreSQL makes null.
  const rows: Row[] = json === null ? [] : JSON.parse(json)
  return rows.length > 1 ? rows.sort((a, b) => (a[orderBy] < b[orderBy] ? -1 : 1)) : rows
}
