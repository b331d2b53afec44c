import { type RawBuilder, sql } from 'kysely'
import { type PreparedQuery, prepare, type Query } from './query.ts'

// Rows of a batch differ in the same few columns almost always.
const MAX_PATTERNS_PER_SIZE = 8

export type RowStatement<Value> = PreparedQuery<readonly Value[], unknown>

/**
 * The statements of SQLite that insert several rows at once. A value that all rows of a statement have is bound once:
 * two thirds of the values of listings that are created together are the same, and binding them took a quarter of the
 * time of writing the rows.
 */
export class RowStatements<Value> {
  readonly #build: (select: RawBuilder<unknown>) => Query<unknown>
  readonly #bySize = new Map<number, Map<string, RowStatement<Value>>>()

  /** `build` gets a query that returns the rows. */
  constructor(build: (select: RawBuilder<unknown>) => Query<unknown>) {
    this.#build = build
  }

  /** Returns undefined if there are too many statements already. The one without shared values always exists. */
  find(size: number, isShared: readonly boolean[]): RowStatement<Value> | undefined {
    const known = this.#bySize.get(size) ?? new Map<string, RowStatement<Value>>()
    this.#bySize.set(size, known)
    const pattern = isShared.map(Number).join('')
    const statement = known.get(pattern)
    if (statement) return statement
    if (known.size >= MAX_PATTERNS_PER_SIZE && isShared.includes(true)) return undefined
    const prepared = this.#prepare(size, isShared)
    known.set(pattern, prepared)
    return prepared
  }

  /** Its values are the shared ones, and then the others row by row. */
  #prepare(size: number, isShared: readonly boolean[]): RowStatement<Value> {
    const sharedCount = isShared.filter(Boolean).length
    const ownCount = isShared.length - sharedCount
    return prepare((values: readonly Value[]) => {
      let shared = 0
      let own = 0
      const selected = isShared.map((is) => (is ? sql`${values[shared++]}` : sql.ref(`column${++own}`)))
      const rows = Array.from({ length: size }, (_, row) => {
        const first = sharedCount + row * ownCount
        return sql`(${sql.join(Array.from({ length: ownCount }, (_, index) => values[first + index]))})`
      })
      // Without a condition, SQLite takes a following `on conflict` for that of a join.
      return this.#build(sql`select ${sql.join(selected)} from (values ${sql.join(rows)}) where true`)
    })
  }
}
