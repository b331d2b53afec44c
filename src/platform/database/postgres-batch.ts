import pg from 'pg'
import { SkippedStatementError } from './postgres-errors.ts'
import { nameOfStatement } from './query.ts'

export interface Statement extends pg.QueryConfig {
  /** It is a single statement, which can be part of a batch. */
  queryMode?: 'extended'
}

/** A frequent statement, which PostgreSQL keeps prepared. */
export const prepared = (text: string): Statement => ({ name: nameOfStatement(text), text, queryMode: 'extended' })

export type OnResponse = (error: Error | null, result: pg.QueryResult) => void

/** What the driver's types leave out. */
interface DriverConnection extends pg.Connection {
  readonly parsedStatements: Record<string, string>
  /** Names of statements that were sent to be prepared, and are not known to be. */
  readonly submittedNamedStatements: Record<string, string>
  sync(): void
  flush(): void
  describe(message: object): void
}

/** How the driver reads the rows of a result. */
interface Columns {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

/** What the driver's types leave out: the client passes each response to its current query. */
export interface DriverQuery extends pg.Query {
  name?: string | undefined
  text: string
  /** Called when the query has ended, if the client waits for that. */
  callback?: () => void
  _result: Columns & { _types?: unknown }
  _accumulateRows: unknown
  requiresPreparation(): boolean
  prepare(connection: DriverConnection): void
  handleRowDescription(response: unknown): void
  handleDataRow(response: unknown): void
  handleCommandComplete(response: unknown, connection: DriverConnection): void
  handleEmptyQuery(connection: DriverConnection): void
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
  /** Statements that failed before they were prepared, or were skipped. */
  readonly unpreparedNames = new Set<string>()
  /** Of prepared statements that have run. PostgreSQL fails one whose columns have changed. */
  readonly knownColumns = new Map<string, Columns>()
  /** Whether PostgreSQL is to describe the rows of the statement that is added now. */
  describesRows = true
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

  override describe(message: object): void {
    if (this.describesRows) super.describe(message)
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
 * A connection is cut if it is silent for longer than a statement may take. PostgreSQL sends the responses to so many
 * statements before it runs the next ones.
 */
const STATEMENTS_PER_FLUSH = 8

/**
 * Statements that are sent together and end with one Sync. PostgreSQL then responds to all of them at once, while the
 * driver has it respond to each: on both sides, those system calls are more work than most statements.
 *
 * To the client it is one query. If a statement fails, PostgreSQL skips the rest of the batch, and so it does with a
 * transaction.
 */
export class StatementBatch extends DriverQuery {
  readonly #queries: readonly DriverQuery[]
  readonly #outbox: Outbox
  readonly #isPooled: boolean
  /** The first query without a complete response. */
  #current = 0

  constructor(queries: readonly DriverQuery[], outbox: Outbox, { isPooled }: { isPooled: boolean }) {
    super('')
    this.#queries = queries
    this.#outbox = outbox
    this.#isPooled = isPooled
  }

  override submit = (): void => {
    // Another batch is to prepare these, and may fail before.
    const unconfirmed = new Set(Object.keys(this.#outbox.submittedNamedStatements))
    for (const [index, query] of this.#queries.entries()) {
      if (index > 0 && index % STATEMENTS_PER_FLUSH === 0) this.#outbox.flush()
      if (query.name !== undefined && (unconfirmed.has(query.name) || this.#isRefusedByPooler(query.name)))
        query.name = undefined
      query._result._types = this._result._types
      this.#outbox.describesRows = !this.#useKnownColumns(query)
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
    this.#rememberColumns(query)
    query.handleCommandComplete(response, connection)
    // Outside of a transaction, the last one is committed at the Sync, which may fail.
    if (this.#current === this.#queries.length - 1) return
    query.handleReadyForQuery(connection)
    this.#current++
    this.#useNameOfCurrent()
  }

  override handleEmptyQuery(connection: DriverConnection): void {
    this.handleCommandComplete({ text: '' }, connection)
  }

  override handleReadyForQuery(connection: DriverConnection): void {
    this.#query.handleReadyForQuery(connection)
    this.callback?.()
  }

  override handleError(error: Error, connection: DriverConnection): void {
    const unanswered = this.#queries.slice(this.#current)
    const cause = error instanceof pg.DatabaseError ? new SkippedStatementError() : error
    for (const [index, query] of unanswered.entries()) {
      if (query.name !== undefined && !(query.name in connection.parsedStatements)) {
        delete connection.submittedNamedStatements[query.name]
        if (this.#isPooled) this.#outbox.unpreparedNames.add(query.name)
      }
      query.handleError(index === 0 ? error : cause, connection)
    }
    this.callback?.()
  }

  #useKnownColumns(query: DriverQuery): boolean {
    const known = query.name === undefined ? undefined : this.#outbox.knownColumns.get(query.name)
    if (!known) return false
    Object.assign(query._result, known)
    query._accumulateRows = true
    return true
  }

  /** Not behind a pooler: it may have the statement prepared again, on another connection. */
  #rememberColumns({ name, _result: { fields, _parsers, _prebuiltEmptyResultObject } }: DriverQuery): void {
    const { knownColumns } = this.#outbox
    if (name === undefined || this.#isPooled || knownColumns.has(name)) return
    knownColumns.set(name, { fields, _parsers, _prebuiltEmptyResultObject })
  }

  /** PgBouncer remembers the name of a statement that was not prepared, and ends a connection that uses it again. */
  #isRefusedByPooler(name: string): boolean {
    return this.#isPooled && this.#outbox.unpreparedNames.has(name)
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
