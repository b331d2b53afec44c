import type { SchemaTransaction } from './port.ts'
import type { PreparedQuery, Query } from './query.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** The write connection during one transaction. A query after its end fails instead of running outside of it. */
export class SqliteTransaction implements SchemaTransaction {
  readonly dialect = 'sqlite'
  readonly seesLatestCommits = true
  #connection: SqliteConnection | undefined
  listeners: readonly (() => void)[] = []

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  all<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row[]> {
    return this.#open().all(query, params)
  }

  first<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row | undefined> {
    return this.#open().first(query, params)
  }

  run<Params>(command: Query<unknown> | PreparedQuery<Params, unknown>, params?: Params): Promise<number> {
    return this.#open().run(command, params)
  }

  runEach<Params>(command: PreparedQuery<Params, unknown>, each: readonly Params[]): Promise<void> {
    return this.#open().runEach(command, each)
  }

  /** There is one writer at a time. */
  async lock(): Promise<boolean> {
    return false
  }

  async tryLock(_kind: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(keys)
  }

  async execute(sql: string): Promise<void> {
    this.#open().execute(sql)
  }

  afterCommit(listener: () => void): void {
    if (!this.listeners.includes(listener)) this.listeners = [...this.listeners, listener]
  }

  end(): void {
    this.#connection = undefined
  }

  #open(): SqliteConnection {
    if (!this.#connection) throw new Error('This transaction has ended; its handle must no longer be used')
    return this.#connection
  }
}
