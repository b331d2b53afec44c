import type pg from 'pg'
import type { LockMode, Reader, SchemaTransaction } from './port.ts'
import type { Statement } from './postgres-batch.ts'
import { isAfterFailure } from './postgres-errors.ts'
import { PostgresLocks } from './postgres-locks.ts'
import { compile, PreparedQuery, type Query } from './query.ts'

export type Send = (query: Statement) => Promise<pg.QueryResult>

/** Compiles queries and passes them to `send`, or `lookUp`. */
export class PostgresReader implements Reader {
  readonly dialect = 'postgres'
  readonly #send: Send
  readonly #lookUp: Send | undefined

  constructor(send: Send, lookUp?: Send) {
    this.#send = send
    this.#lookUp = lookUp
  }

  async all<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row[]> {
    return (await this.#run(query, params)).rows as Row[]
  }

  async first<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row | undefined> {
    return (await this.#run(query, params)).rows[0] as Row | undefined
  }

  #run<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<pg.QueryResult> {
    const statement = toStatement(query, params)
    const isLookup = query instanceof PreparedQuery && query.isLookup
    return this.#lookUp && isLookup ? this.#lookUp(statement) : this.send(statement)
  }

  protected send(query: Statement): Promise<pg.QueryResult> {
    return this.#send(query)
  }
}

function toStatement<Params>(
  query: Query<unknown> | PreparedQuery<Params, unknown>,
  params: Params | undefined,
): Statement {
  if (!(query instanceof PreparedQuery)) {
    const { sql, values } = compile(query, 'postgres')
    return { text: sql, values: [...values], queryMode: 'extended' }
  }
  const { sql, name, bind } = query.statement('postgres', params as Params)
  return { name, text: sql, values: bind(params as Params), queryMode: 'extended' }
}

/** What begins a transaction: single statements, which share a batch with those that follow. */
export interface BeginStatements {
  begin: Statement
  settings?: Statement
}

/**
 * A connection during one transaction. A query after its end fails instead of running outside of it.
 *
 * Statements are sent at once and run in the order of sending, so those whose result is not needed share a round trip with
 * the next one, or with the commit.
 */
export class PostgresTransaction extends PostgresReader implements SchemaTransaction {
  readonly listeners = new Set<() => void>()
  readonly seesLatestCommits: boolean
  readonly #locks = new PostgresLocks()
  #hasBegun = false
  /** Whether what is sent now is in one batch with BEGIN, so that PostgreSQL skips it if that fails. */
  #isWithBegin = true
  readonly #begun: Promise<void>
  #firstError: unknown
  #hasEnded = false

  constructor(send: Send, { begin, settings, seesLatestCommits }: BeginStatements & { seesLatestCommits: boolean }) {
    super(send)
    this.seesLatestCommits = seesLatestCommits
    // Before BEGIN, so that it ends before the batch is sent.
    process.nextTick(() => {
      this.#isWithBegin = false
    })
    this.#begun = this.#sendNow(begin).then(() => {
      this.#hasBegun = true
    })
    this.#begun.catch(() => {})
    if (settings) this.#sendUnawaited(settings)
  }

  async run<Params>(command: Query<unknown> | PreparedQuery<Params, unknown>, params?: Params): Promise<number> {
    return (await this.send(toStatement(command, params))).rowCount ?? 0
  }

  async runEach<Params>(command: PreparedQuery<Params, unknown>, each: readonly Params[]): Promise<void> {
    const queries = each.map((params) => toStatement(command, params))
    if (!queries.every((query) => this.#isInTransaction(query))) await this.#begun
    this.#refuseIfEnded()
    for (const query of queries) this.#sendUnawaited(query)
  }

  /** Need not wait for BEGIN: outside of a transaction, it would lock nothing. */
  async lock(kind: string, keys: readonly string[], mode: LockMode): Promise<boolean> {
    this.#refuseIfEnded()
    const query = this.#locks.lockQuery(kind, keys, mode)
    if (query) this.#sendUnawaited(query)
    return query !== undefined
  }

  async tryLock(kind: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set()
    return this.#locks.lockedKeys(keys, (await this.#sendNow(this.#locks.tryLockQuery(kind, keys))).rows)
  }

  /** Rejects if BEGIN has failed: PostgreSQL then accepts a COMMIT, but has skipped what was sent with BEGIN. */
  get begun(): Promise<void> {
    return this.#begun
  }

  afterCommit(listener: () => void): void {
    this.listeners.add(listener)
  }

  async execute(sql: string): Promise<void> {
    await this.send({ text: sql })
  }

  end(): void {
    this.#hasEnded = true
  }

  /** After an error, PostgreSQL rejects the statements that follow. Returns the error that caused this. */
  causeOf(error: unknown): unknown {
    return isAfterFailure(error) && this.#firstError !== undefined ? this.#firstError : error
  }

  /** Outside of the transaction, a write would be committed by itself, and some that return rows look like reads. */
  protected override async send(query: Statement): Promise<pg.QueryResult> {
    this.#refuseIfEnded()
    if (!this.#isInTransaction(query)) await this.#begun
    return this.#sendNow(query)
  }

  async #sendNow(query: Statement): Promise<pg.QueryResult> {
    this.#refuseIfEnded()
    try {
      return await super.send(query)
    } catch (error) {
      if (!isAfterFailure(error)) this.#firstError ??= error
      throw error
    }
  }

  #isInTransaction({ queryMode }: Statement): boolean {
    return this.#hasBegun || (this.#isWithBegin && queryMode === 'extended')
  }

  #refuseIfEnded(): void {
    if (this.#hasEnded) throw new Error('This transaction has ended; its handle must no longer be used')
  }

  #sendUnawaited(query: Statement): void {
    // The error is reported by a later statement, by the commit or by BEGIN.
    this.#sendNow(query).catch(() => {})
  }
}
