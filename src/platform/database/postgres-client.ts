import type { Socket } from 'node:net'
import pg from 'pg'
import { closeOnMalformedMessages } from './malformed-messages.ts'
import { DatabaseUnavailableError } from './port.ts'
import { createQuery, type DriverQuery, Outbox, type Statement, StatementBatch } from './postgres-batch.ts'
import {
  ConnectionLostError,
  endedBeforeCommit,
  endsConnection,
  isAfterFailure,
  isResponse,
  makesConnectionUnusable,
  NoResponseError,
  RolledBackError,
  SkippedStatementError,
  toDatabaseUnavailableError,
} from './postgres-errors.ts'
import type { SilenceMonitor } from './postgres-silence.ts'
import { type Lateness, Watchdog } from './postgres-watchdog.ts'

/** For statements without a deadline. */
export const NO_DEADLINE = Number.POSITIVE_INFINITY

export interface ClientConfig extends pg.ClientConfig {
  silence?: SilenceMonitor | undefined
  lateness?: Lateness | undefined
}

/**
 * A connection whose loss never ends the process.
 *
 * It listens for errors from the start, because an unhandled error event ends the process, and the pool listens to idle
 * connections only. The driver reports a lost connection with errors without class and code, so the state of the
 * connection decides, not the error.
 */
export class PostgresClient extends pg.Client {
  /** As the server reports it, or a pooler before it. The types of the driver lack it. */
  declare readonly processID: number | null
  /** Why this connection must not be used again. */
  unusableReason: Error | undefined
  /** Whether the settings of the session have been sent. */
  isConfigured = false
  /** How the server lists this connection. Unknown before it is configured. */
  session: string | undefined
  /** Whether the server may be committing the transaction. */
  hasSentCommit = false
  /** Whether a pooler is in between, so that the next statement may reach a connection without these settings. */
  isPooled = false
  /** Notified of what this connection waits for. */
  readonly silence: SilenceMonitor | undefined
  #isLost = false
  #hasTimedOut = false
  readonly #rejectStatements = new Set<(reason: Error) => void>()
  readonly #onQuiet: (() => void)[] = []
  #isAbandoned = false
  #outstanding = 0
  /** The statements of this tick. */
  readonly #unsent: DriverQuery[] = []
  readonly #outbox = new Outbox(this.connection)
  readonly watchdog: Watchdog

  constructor(config: ClientConfig = {}) {
    super(config)
    this.silence = config.silence
    this.watchdog = new Watchdog(config.lateness, (milliseconds) => {
      this.#hasTimedOut = true
      this.cut(new Error(`no response within ${milliseconds} ms`))
    })
    closeOnMalformedMessages(this.connection)
    this.on('error', (error) => {
      this.#isLost = true
      this.unusableReason ??= error
    })
  }

  get isLost(): boolean {
    return this.#isLost || this.#hasTimedOut
  }

  /** Whether nothing may be sent, and no result is needed any more. */
  get isAbandoned(): boolean {
    return this.#isAbandoned
  }

  /** Whether a pooler may be running a statement of this connection. */
  get isBusy(): boolean {
    return this.isPooled && this.#outstanding > 0 && !this.isLost
  }

  /**
   * Runs a statement. The server cancels a statement at its deadline, unless the server itself hangs; then the
   * connection is cut.
   */
  send(query: Statement, answerWithinMilliseconds: number): Promise<pg.QueryResult> {
    if (this.#isAbandoned) return Promise.reject(this.unusableReason)
    const response = this.#receive(query, answerWithinMilliseconds)
    if (!this.isPooled) return response
    return new Promise((resolve, reject) => {
      this.#rejectStatements.add(reject)
      response.then(resolve, reject).finally(() => this.#rejectStatements.delete(reject))
    })
  }

  async #receive(query: Statement, answerWithinMilliseconds: number): Promise<pg.QueryResult> {
    if (++this.#outstanding === 1) this.watchdog.start(this.#socket, answerWithinMilliseconds)
    this.silence?.began()
    try {
      const result = await this.#submit(query)
      this.silence?.heard()
      return result
    } catch (error) {
      if (isResponse(error)) this.silence?.heard()
      if (makesConnectionUnusable(error)) this.unusableReason ??= error as Error
      throw this.#toError(error, answerWithinMilliseconds)
    } finally {
      this.silence?.ended()
      if (--this.#outstanding === 0) this.#becomeQuiet()
      else this.watchdog.restart()
    }
  }

  /**
   * Without a response it is unknown whether the transaction was committed. It is neither acknowledged nor retried: the
   * caller gets an outage error and can check.
   */
  async commit(statement: Statement, answerWithinMilliseconds: number): Promise<void> {
    const wasLost = this.isLost || this.#isAbandoned
    this.hasSentCommit = true
    let command: string
    try {
      ;({ command } = await this.send(statement, answerWithinMilliseconds))
    } catch (error) {
      if (wasLost || !this.unusableReason) throw error
      // PostgreSQL does not run what follows an error that ends the connection. A pooler may say so after it has run.
      const mayHaveRun = this.isPooled && endsConnection(this.unusableReason)
      if (!mayHaveRun && (endedBeforeCommit(error) || isAfterFailure(error))) throw error
      throw new DatabaseUnavailableError('PostgreSQL did not confirm the commit', { cause: error })
    } finally {
      this.hasSentCommit = this.unusableReason !== undefined
    }
    if (command !== 'COMMIT') throw new RolledBackError()
  }

  async rollback(answerWithinMilliseconds: number): Promise<void> {
    if (this.unusableReason) return
    try {
      await this.send({ text: 'rollback', queryMode: 'extended' }, answerWithinMilliseconds)
    } catch (error) {
      // It was sent together with a statement that failed.
      if (error instanceof SkippedStatementError) return this.rollback(answerWithinMilliseconds)
      this.unusableReason ??= error as Error
    }
  }

  /**
   * Ends what waits for the connection. If a pooler may be running a statement of it, the connection stays open until that
   * statement ends: it would run on without its client, while the pooler opens another connection to the server instead.
   */
  abandon(reason: Error): void {
    this.#isAbandoned = true
    this.unusableReason ??= reason
    if (!this.isBusy) this.cut(reason)
    else for (const reject of this.#rejectStatements) reject(reason)
  }

  /** Calls back when the statements that are running have ended, or the connection is cut. */
  whenQuiet(callback: () => void): void {
    this.#onQuiet.push(callback)
  }

  /** Ends the connection and what runs on it. */
  cut(reason: Error): void {
    this.unusableReason ??= reason
    this.connection.stream.destroy()
  }

  /** Lets the process exit even if the server has not closed its side. */
  unrefSocket(): void {
    this.#socket.unref()
  }

  get #socket(): Socket {
    return this.connection.stream as Socket
  }

  #submit(statement: Statement): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.#unsent.push(createQuery(statement, (error, result) => (error ? reject(error) : resolve(result))))
      if (this.#unsent.length === 1) process.nextTick(() => this.#sendUnsent())
    })
  }

  #sendUnsent(): void {
    let batch: DriverQuery[] = []
    const sendBatch = () => {
      if (batch.length > 0) this.query(new StatementBatch(batch, this.#outbox, { isPooled: this.isPooled }))
      batch = []
    }
    for (const query of this.#unsent.splice(0)) {
      if (query.requiresPreparation()) {
        batch.push(query)
        continue
      }
      // PostgreSQL responds to its text alone, which may have several statements.
      sendBatch()
      this.query(query)
    }
    sendBatch()
  }

  #becomeQuiet(): void {
    this.watchdog.stop()
    for (const callback of this.#onQuiet.splice(0)) callback()
  }

  #toError(error: unknown, answerWithinMilliseconds: number): unknown {
    if (error instanceof pg.DatabaseError) return toDatabaseUnavailableError(error)
    if (this.#hasTimedOut) {
      return new NoResponseError(`PostgreSQL did not respond within ${answerWithinMilliseconds} ms`, { cause: error })
    }
    if (!this.#isLost) return error
    // It was cut because the server responds to nothing.
    if (this.unusableReason instanceof NoResponseError) return this.unusableReason
    return new ConnectionLostError('The connection to PostgreSQL was lost', { cause: this.unusableReason ?? error })
  }
}

type OnConnected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/**
 * What the pool opens. Work that was given up stays in the queue of the pool, and must not open connections to a server that
 * is silent.
 */
export class PoolClient extends PostgresClient {
  override connect(): Promise<pg.Client>
  override connect(onConnected: OnConnected): void
  override connect(onConnected?: OnConnected): unknown {
    const error = this.silence?.error
    if (!onConnected) return error ? Promise.reject(error) : super.connect()
    // Later: the pool would go through its queue by recursion.
    if (error) return setImmediate(onConnected as (error: Error) => void, error)
    return super.connect(onConnected)
  }

  /** A connection that is busy ends later, but leaves the pool at once. */
  override end(): Promise<void>
  override end(onEnded: (error: Error) => void): void
  override end(onEnded?: (error: Error) => void): unknown {
    if (!onEnded) return super.end()
    if (!this.isBusy) return super.end(onEnded)
    // The driver waits for the statements that were sent.
    void super.end()
    return (onEnded as () => void)()
  }
}

export type PooledClient = PoolClient & Pick<pg.PoolClient, 'release'>
