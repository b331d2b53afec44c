import type Sqlite from 'better-sqlite3'
import { BoundedMap } from '../bounded-map.ts'
import type { Transaction } from './port.ts'
import { compile, PreparedQuery, type Query } from './query.ts'
import { toUnavailableError } from './sqlite-errors.ts'

const MAX_CACHED_STATEMENTS = 500

interface PreparedStatement<Params> {
  statement: Sqlite.Statement
  bind(params: Params): unknown[]
}

/** One SQLite connection and the statements that it has prepared. */
export class SqliteConnection implements Pick<Transaction, 'dialect' | 'all' | 'first' | 'run' | 'runEach'> {
  readonly dialect = 'sqlite'
  readonly raw: Sqlite.Database
  /** Grows with each statement that may have changed a row. */
  writes = 0
  readonly #prepared = new Map<object, PreparedStatement<never>>()
  #originals: 'memory' | 'file' = 'file'
  readonly #adHoc = new BoundedMap<string, Sqlite.Statement>(MAX_CACHED_STATEMENTS)

  constructor(raw: Sqlite.Database) {
    this.raw = raw
  }

  /**
   * Where SQLite keeps the originals of the pages that change after a savepoint, which is in memory up to 64 KiB anyway.
   * In a file they took a sixth of the time of small transactions; in memory they would take as much of it as a large
   * transaction changes. Call it outside of transactions.
   */
  keepOriginals(place: 'memory' | 'file'): void {
    if (place === this.#originals) return
    // Not a prepared statement: SQLite runs this one when it prepares it.
    this.raw.pragma(`temp_store = ${place}`)
    this.#originals = place
  }

  execute(sql: string): void {
    this.writes++
    this.raw.exec(sql)
  }

  /** Begins and ends transactions and savepoints. */
  command(sql: string): void {
    this.#adHocStatement(sql).run()
  }

  async all<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row[]> {
    return convertOutages(() => {
      const { statement, args } = this.#bind(query, params)
      if (!statement.readonly) this.writes++
      return statement.all(...args) as Row[]
    })
  }

  async first<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row | undefined> {
    return this.peek(query, params)
  }

  peek<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Row | undefined {
    return convertOutages(() => {
      const { statement, args } = this.#bind(query, params)
      if (!statement.readonly) this.writes++
      return statement.get(...args) as Row | undefined
    })
  }

  async run<Params>(command: Query<unknown> | PreparedQuery<Params, unknown>, params?: Params): Promise<number> {
    return convertOutages(() => {
      const { statement, args } = this.#bind(command, params)
      const { changes } = statement.run(...args)
      if (changes > 0) this.writes++
      return changes
    })
  }

  async runEach<Params>(command: PreparedQuery<Params, unknown>, each: readonly Params[]): Promise<void> {
    if (each.length === 0) return
    convertOutages(() => {
      const { statement, bind } = this.#prepare(command, each[0] as Params)
      this.writes++
      for (const params of each) statement.run(...bind(params))
    })
  }

  /** Values one by one are bound faster than a list of them, but there may be tens of thousands in an ad-hoc query. */
  #bind<Params>(query: Query<unknown> | PreparedQuery<Params, unknown>, params: Params | undefined) {
    if (!(query instanceof PreparedQuery)) {
      const { sql, values } = compile(query, 'sqlite')
      return { statement: this.#adHocStatement(sql), args: [values] }
    }
    const { statement, bind } = this.#prepare(query, params as Params)
    return { statement, args: bind(params as Params) }
  }

  #prepare<Params>(query: PreparedQuery<Params, unknown>, params: Params): PreparedStatement<Params> {
    let prepared = this.#prepared.get(query) as PreparedStatement<Params> | undefined
    if (!prepared) {
      const { sql, bind } = query.statement('sqlite', params)
      prepared = { statement: this.raw.prepare(sql), bind }
      this.#prepared.set(query, prepared)
    }
    return prepared
  }

  #adHocStatement(sql: string): Sqlite.Statement {
    let statement = this.#adHoc.get(sql)
    if (!statement) {
      statement = this.raw.prepare(sql)
      this.#adHoc.set(sql, statement)
    }
    return statement
  }
}

/** Reads fail for reasons of the disk too, and then the request or job is not the cause. */
function convertOutages<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw toUnavailableError(error)
  }
}
