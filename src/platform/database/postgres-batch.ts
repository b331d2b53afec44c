import pg from 'pg'
import { SkippedStatementError } from './postgres-errors.ts'

export interface Statement extends pg.QueryConfig {
  /** Whether it is sent like a statement with parameters, though it has none. */
  queryMode?: 'extended'
}

export type OnResponse = (error: Error | null, result: pg.QueryResult) => void

/** What the driver's types leave out. */
interface DriverConnection extends pg.Connection {
  readonly parsedStatements: Record<string, string>
  /** Names of statements that were sent to be prepared, and are not known to be. */
  readonly submittedNamedStatements: Record<string, string>
  sync(): void
}

/** What the driver's types leave out: the client passes each response to its current query. */
export interface DriverQuery extends pg.Query {
  name?: string | undefined
  text: string
  _result: { _types?: unknown }
  requiresPreparation(): boolean
  prepare(connection: DriverConnection): void
  handleRowDescription(response: unknown): void
  handleDataRow(response: unknown): void
  handleCommandComplete(response: unknown, connection: DriverConnection): void
  handleReadyForQuery(connection: DriverConnection): void
  handleError(error: Error, connection: DriverConnection): void
}

const DriverQuery = pg.Query as unknown as new (text: string, onResponse?: OnResponse) => DriverQuery

export function createQuery({ text, name, values, queryMode }: Statement, onResponse: OnResponse): DriverQuery {
  // Given an object, the driver would copy it by its property descriptors, which takes longer than all else it does here.
  return Object.assign(new DriverQuery(text, onResponse), { name, values, queryMode })
}

const DriverConnection = pg.Connection as unknown as new (config: { stream: object }) => DriverConnection

/** Collects the messages of a batch for a connection. Writing each of them would take longer than copying them. */
export class Outbox extends DriverConnection {
  override readonly parsedStatements: Record<string, string>
  override readonly submittedNamedStatements: Record<string, string>
  readonly #connection: DriverConnection
  readonly #messages: Buffer[]

  constructor(connection: pg.Connection) {
    const messages: Buffer[] = []
    super({ stream: { writable: true, write: (message: Buffer) => messages.push(message) } })
    this.#connection = connection as DriverConnection
    this.#messages = messages
    this.parsedStatements = this.#connection.parsedStatements
    this.submittedNamedStatements = this.#connection.submittedNamedStatements
  }

  /** One for the whole batch. */
  override sync(): void {}

  /** The driver closes a statement whose values it cannot send. The responses would then belong to others. */
  override close(): void {
    this.#connection.stream.destroy()
  }

  send(): void {
    super.sync()
    const { stream } = this.#connection
    if (stream.writable) stream.write(Buffer.concat(this.#messages))
    this.#messages.length = 0
  }
}

/**
 * Statements that are sent together and end with one Sync. PostgreSQL then responds to all of them at once, while the driver has it
 * respond to each: on both sides, those system calls are more work than most statements.
 *
 * To the client it is one query. If a statement fails, PostgreSQL skips the rest of the batch, and so it does with a transaction.
 */
export class StatementBatch extends DriverQuery {
  readonly #queries: readonly DriverQuery[]
  readonly #outbox: Outbox
  /** The first query without a complete response. */
  #current = 0

  constructor(queries: readonly DriverQuery[], outbox: Outbox) {
    super('')
    this.#queries = queries
    this.#outbox = outbox
  }

  override submit = (): void => {
    // Another batch is to prepare these, and may fail before.
    const unconfirmed = new Set(Object.keys(this.#outbox.submittedNamedStatements))
    for (const query of this.#queries) {
      if (query.name !== undefined && unconfirmed.has(query.name)) query.name = undefined
      query._result._types = this._result._types
      query.prepare(this.#outbox)
    }
    this.#useNameOfCurrent()
    this.#outbox.send()
  }

  override handleRowDescription(response: unknown): void {
    this.#query.handleRowDescription(response)
  }

  override handleDataRow(response: unknown): void {
    this.#query.handleDataRow(response)
  }

  override handleCommandComplete(response: unknown, connection: DriverConnection): void {
    const query = this.#query
    query.handleCommandComplete(response, connection)
    query.handleReadyForQuery(connection)
    this.#current++
    this.#useNameOfCurrent()
  }

  override handleReadyForQuery(): void {}

  override handleError(error: Error, connection: DriverConnection): void {
    const [failed, ...skipped] = this.#queries.slice(this.#current)
    failed?.handleError(error, connection)
    const cause = error instanceof pg.DatabaseError ? new SkippedStatementError() : error
    for (const query of skipped) {
      // If this batch was to prepare it, that was skipped, too.
      if (query.name !== undefined) delete connection.submittedNamedStatements[query.name]
      query.handleError(cause, connection)
    }
  }

  get #query(): DriverQuery {
    return this.#queries[this.#current] as DriverQuery
  }

  /** The client remembers that the statement with the name of its query is prepared. */
  #useNameOfCurrent(): void {
    const { name, text } = this.#queries[this.#current] ?? { name: undefined, text: '' }
    this.name = name
    this.text = text
  }
}
