import type { Reader } from './port.ts'
import type { PreparedQuery, Query } from './query.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/**
 * Reads on the connection that also writes. It would see uncommitted rows, so each statement waits for an open transaction:
 * one may have begun since the statement before.
 */
export class SqliteSharedReader implements Reader {
  readonly dialect = 'sqlite'
  readonly #connection: SqliteConnection
  readonly #endOfWriting: () => Promise<void> | undefined

  constructor(connection: SqliteConnection, endOfWriting: () => Promise<void> | undefined) {
    this.#connection = connection
    this.#endOfWriting = endOfWriting
  }

  async all<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row[]> {
    if (this.#connection.raw.inTransaction) await this.#endOfWriting()
    return this.#connection.all(query, params)
  }

  async first<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row | undefined> {
    if (this.#connection.raw.inTransaction) await this.#endOfWriting()
    return this.#connection.first(query, params)
  }
}
