import { hash } from 'node:crypto'
import {
  type Compilable,
  DummyDriver,
  Kysely,
  type OperationNodeSource,
  PostgresQueryCompiler,
  type QueryCompiler,
  type RootOperationNode,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Dialect } from './dialect.ts'

/** A built query, independent of the database that runs it. */
export type Query<Row> = Compilable<Row> & OperationNodeSource

/** A compiled query. */
export interface Statement<Params> {
  sql: string
  /**
   * The name of the prepared statement on PostgreSQL. The same in all processes: a pooler may hand the connection of one to
   * another.
   */
  name: string
  /** Returns the values in the order of the placeholders. */
  bind(params: Params): unknown[]
}

/** SQLite has one writer, and no row locks. */
class LocklessSqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }
}

const compilers: Record<Dialect, QueryCompiler> = {
  sqlite: new LocklessSqliteCompiler(),
  postgres: new PostgresQueryCompiler(),
}

/**
 * Kysely as a typed builder only. A `Reader` or `Transaction` runs the queries, so nothing can be read or written
 * outside of one.
 */
export function queryBuilder<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new BuildOnlyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => compilers.sqlite,
    },
  })
}

class BuildOnlyDriver extends DummyDriver {
  override acquireConnection(): never {
    throw new Error('This builder runs nothing: pass the query to a Reader or a Transaction')
  }
}

/** SQLite allows 32,766 values in a statement, PostgreSQL 65,535. */
export const MAX_STATEMENT_VALUES = 30_000

/** Building and compiling takes ten times as long as running a point query. Use `prepare` for frequent queries. */
export function compile(query: Query<unknown>, dialect: Dialect): { sql: string; values: readonly unknown[] } {
  const node = query.toOperationNode() as RootOperationNode
  const { sql, parameters } = compilers[dialect].compileQuery(node, { queryId: 'souk' })
  if (parameters.length > MAX_STATEMENT_VALUES) {
    throw new Error(
      `A statement has ${parameters.length} values, and at most ${MAX_STATEMENT_VALUES} are allowed: ` +
        'cut the list with `chunks` (tuples.ts), or read it in pages',
    )
  }
  return { sql, values: parameters }
}

class Placeholder {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

const isPlaceholderOf = (value: unknown, key: string) => value instanceof Placeholder && value.key === key

/** A query that is built and compiled once, on its first run, and run with different values. */
export class PreparedQuery<Params, Row> {
  // Never assigned: it carries the type of the row.
  declare readonly row: Row
  /** Whether it always takes little time: see `prepareLookup`. */
  readonly isLookup: boolean
  readonly #build: (params: Params, dialect: Dialect) => Query<Row>
  readonly #statements = new Map<Dialect, Statement<Params>>()

  constructor(build: (params: Params, dialect: Dialect) => Query<Row>, { isLookup }: { isLookup: boolean }) {
    this.#build = build
    this.isLookup = isLookup
  }

  /** The values of the first run define which properties there are. */
  statement(dialect: Dialect, params: Params): Statement<Params> {
    let statement = this.#statements.get(dialect)
    if (!statement) {
      statement = this.#compile(dialect, params)
      this.#statements.set(dialect, statement)
    }
    return statement
  }

  #compile(dialect: Dialect, first: Params): Statement<Params> {
    const placeholders = new Proxy({ ...(first as object) }, { get: (_, key) => new Placeholder(String(key)) })
    const { sql, values } = compile(this.#build(placeholders as Params, dialect), dialect)
    // A list of values that are used in its order, as for many rows, is bound as it is.
    const isList = Array.isArray(first) && values.every((value, index) => isPlaceholderOf(value, String(index)))
    const keys = values.map((value) => (value instanceof Placeholder ? (value.key as keyof Params) : undefined))
    const bind = isList
      ? (params: Params) => params as unknown[]
      : (params: Params) => keys.map((key, index) => (key === undefined ? values[index] : params[key]))
    return { sql, name: nameOfStatement(sql), bind }
  }
}

/**
 * Prepares a frequent query. `params` contains placeholders, which can be used as values in the query only: code must
 * not test or count them. `{ ...params }` has a placeholder for each property of the values of the first run, so a query
 * that spreads a row needs rows with all columns.
 */
export function prepare<Params, Row>(
  build: (params: Params, dialect: Dialect) => Query<Row>,
): PreparedQuery<Params, Row> {
  return new PreparedQuery(build, { isLookup: false })
}

/**
 * The same for a query that finds a few rows by their key. On PostgreSQL, such reads that begin at the same time share a
 * round trip, so one that took long would delay those of others.
 */
export function prepareLookup<Params, Row>(
  build: (params: Params, dialect: Dialect) => Query<Row>,
): PreparedQuery<Params, Row> {
  return new PreparedQuery(build, { isLookup: true })
}

/** The same in all processes, and another one for another text. */
export const nameOfStatement = (sql: string): string => `souk_${hash('sha256', sql, 'base64url')}`
