import {
  type Compilable,
  DummyDriver,
  Kysely,
  type OperationNodeSource,
  PostgresQueryCompiler,
  type QueryCompiler,
  type RootOperationNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Dialect } from './dialect.ts'

/** A query that has been built but says nothing of how or where it runs. */
export type Query<Row> = Compilable<Row> & OperationNodeSource

/** A query as a database takes it. */
export interface Statement<Params> {
  sql: string
  /** Unique to this text, as PostgreSQL wants it for a statement that is prepared once. */
  name: string
  /** The values in the order of the placeholders in the text. */
  bind(params: Params): unknown[]
}

const compilers: Record<Dialect, QueryCompiler> = {
  sqlite: new SqliteQueryCompiler(),
  postgres: new PostgresQueryCompiler(),
}

/**
 * Kysely as a typed builder only: stores build queries here and hand them to a `Reader` or `Transaction` to run, so
 * nothing can be read or written outside of one.
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
    throw new Error('This builder runs nothing: hand the query to a Reader or a Transaction')
  }
}

/** SQLite takes 32,766 values in one statement, PostgreSQL 65,535. */
export const MAX_STATEMENT_VALUES = 30_000

/** Building and compiling costs ten times what running a point query does: for queries that run often, see `prepare`. */
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

let statementsPrepared = 0

/** A query built and compiled once, on its first run, and run with other values each time. */
export class PreparedQuery<Params, Row> {
  // Never assigned: it carries the row's type to whoever runs the query.
  declare readonly row: Row
  readonly #build: (params: Params) => Query<Row>
  readonly #statements = new Map<Dialect, Statement<Params>>()

  constructor(build: (params: Params) => Query<Row>) {
    this.#build = build
  }

  statement(dialect: Dialect): Statement<Params> {
    let statement = this.#statements.get(dialect)
    if (!statement) {
      statement = this.#compile(dialect)
      this.#statements.set(dialect, statement)
    }
    return statement
  }

  #compile(dialect: Dialect): Statement<Params> {
    const placeholders = new Proxy({}, { get: (_, key) => new Placeholder(String(key)) }) as Params & object
    const { sql, values } = compile(this.#build(placeholders), dialect)
    const bind = (params: Params) =>
      values.map((value) => (value instanceof Placeholder ? params[value.key as keyof Params] : value))
    return { sql, name: `souk_${++statementsPrepared}`, bind }
  }
}

/**
 * Prepares a query for running often. `params` stands for the values that come later, so it can be used where a
 * value can, and nowhere else: it must not be tested or counted.
 */
export function prepare<Params, Row>(build: (params: Params) => Query<Row>): PreparedQuery<Params, Row> {
  return new PreparedQuery(build)
}
