import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { withDeadline } from '../deadline.ts'
import type { Metric } from '../metrics/port.ts'
import type { Tracer } from '../tracing/port.ts'
import { type DatabaseLogger, notifyCommitted } from './commit-listeners.ts'
import {
  type Database,
  DatabaseUnavailableError,
  DatabaseUrlError,
  type Isolation,
  type Reader,
  type SchemaTransaction,
  type Transaction,
  type TransactionOptions,
} from './port.ts'
import { NO_DEADLINE, type PooledClient, PostgresClient } from './postgres-client.ts'
import { PostgresReader, PostgresTransaction, type Send } from './postgres-connection.ts'
import {
  defaultPostgresDeadlines,
  noSessionDeadlines,
  type PostgresDeadlines,
  setDeadlines,
} from './postgres-deadlines.ts'
import { type Target, toConnectError } from './postgres-errors.ts'
import { PostgresMetrics } from './postgres-metrics.ts'
import { retryWhilePossible } from './postgres-retries.ts'
import { LIMIT_TABLE_LOCKS, retryWhileLocked } from './schema-locks.ts'

interface AttemptOptions extends TransactionOptions {
  answerWithin?: number
}

export interface PostgresOptions {
  url: string
  poolSize: number
  deadlines?: Partial<PostgresDeadlines>
  /** How the server lists the connections. Default: that of the URL. */
  applicationName?: string | undefined
  /** Omitted if queries are not traced. */
  tracer?: Tracer | undefined
  logger?: DatabaseLogger | undefined
}

// The server cancels a statement at its deadline. If it does not, the connection is cut.
const GRACE_MILLISECONDS = 2_000
const CHECK_WITHIN_MILLISECONDS = 3_000
const KEEPALIVE_AFTER_MILLISECONDS = 10_000
const INT8_OID = 20
const BEGIN: Record<Isolation, string> = {
  serializable: 'begin isolation level serializable',
  'read committed': 'begin isolation level read committed',
}
// `create table if not exists` fails while another session creates the same table. The lock id spells "souk".
const LOCK_SCHEMA_CHANGES = 'select pg_advisory_xact_lock(1936684395)'
const TRY_LOCK_ONLINE_CHANGES = 'select pg_try_advisory_lock(1936684396) as locked'
const LOCK_RETRY_MILLISECONDS = 200
const TABLES = `select tablename from pg_tables where schemaname = current_schema() and tablename <> 'migrations'`

/** PostgreSQL. Transactions are serializable unless they ask for less, and retried on conflict. */
export class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly #pool: pg.Pool
  readonly #connection: pg.ClientConfig
  readonly #reader: Reader
  readonly #deadlines: PostgresDeadlines
  readonly #target: Target
  readonly #poolSize: number
  readonly #logger: DatabaseLogger | undefined
  readonly #clients = new Set<PostgresClient>()
  readonly #metrics = new PostgresMetrics()
  readonly #tracer: Tracer | undefined
  /** Until a pooler between Souk and PostgreSQL turns out not to support it. */
  #preparesStatements = true

  constructor({ url, poolSize, deadlines, applicationName, tracer, logger }: PostgresOptions) {
    this.#deadlines = { ...defaultPostgresDeadlines, ...deadlines }
    this.#logger = logger
    this.#poolSize = poolSize
    this.#tracer = tracer
    this.#target = parseUrl(url)
    this.#connection = {
      connectionString: url,
      // One in the URL takes precedence.
      ...(applicationName && { fallback_application_name: applicationName }),
      connectionTimeoutMillis: this.#deadlines.connectSeconds * 1000,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MILLISECONDS,
      types: { getTypeParser: parseTypes },
      // Statements sent together share a round trip: see `runEach`.
      pipeline: true,
    }
    this.#pool = new pg.Pool({ ...this.#connection, Client: PostgresClient, max: poolSize })
    // A connection lost while idle is replaced on the next use.
    this.#pool.on('error', ({ message: reason }) => logger?.warn({ reason }, 'lost an idle connection to PostgreSQL'))
    this.#pool.on('connect', (client) => this.#clients.add(client as PooledClient))
    this.#pool.on('remove', (client) => this.#clients.delete(client as PooledClient))
    this.#reader = new PostgresReader((query) => this.#readStatement(query))
  }

  read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    return work(this.#reader)
  }

  get metrics(): readonly Metric[] {
    return this.#metrics.list(this.#pool, this.#poolSize)
  }

  peek(): undefined {
    return undefined
  }

  transact<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result> {
    return this.#retryOnConflict(() => this.#attempt(work, options))
  }

  /** Migrations have no deadline and wait for each other, but only briefly for tables. */
  transactSchema<Result>(work: (tx: SchemaTransaction) => Promise<Result>): Promise<Result> {
    const withoutDeadlines = async (tx: PostgresTransaction) => {
      await tx.execute(setDeadlines('set local', noSessionDeadlines))
      await tx.execute(LOCK_SCHEMA_CHANGES)
      await tx.execute(LIMIT_TABLE_LOCKS)
      return work(tx)
    }
    const attempt = () => this.#attempt(withoutDeadlines, { answerWithin: NO_DEADLINE })
    return retryWhileLocked(() => this.#retryOnConflict(attempt))
  }

  /**
   * On a connection outside the pool, which may have no second one for the work. It is closed at the end, which releases
   * the lock and ends the settings.
   */
  async alterOnline<Result>(work: (execute: (sql: string) => Promise<void>) => Promise<Result>): Promise<Result> {
    const client = new PostgresClient(this.#connection)
    await this.#connected(() => client.connect())
    try {
      const execute = async (text: string) => client.send({ text }, NO_DEADLINE)
      await execute(setDeadlines('set', noSessionDeadlines))
      // A session that waits for the lock has a snapshot, for whose end `create index concurrently` would wait.
      while (!(await execute(TRY_LOCK_ONLINE_CHANGES)).rows[0]?.locked) await sleep(LOCK_RETRY_MILLISECONDS)
      return await work(async (sql) => void (await execute(sql)))
    } finally {
      // Not awaited: a server that hangs does not close its side.
      client.end().catch(() => undefined)
      client.unrefSocket()
    }
  }

  clear(): Promise<void> {
    return this.replace(async () => {})
  }

  replace<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#retryOnConflict(() =>
      this.#attempt(async (tx, send) => {
        const { rows } = await send({ text: TABLES })
        await tx.execute(`truncate ${rows.map(({ tablename }) => `"${tablename}"`).join(', ')}`)
        return work(tx)
      }),
    )
  }

  async checkWritable(): Promise<void> {
    const check = this.#withClient(async (client) => {
      const { rows } = await client.send({ text: 'show transaction_read_only' }, CHECK_WITHIN_MILLISECONDS)
      if (rows[0]?.transaction_read_only !== 'on') return
      client.unusableReason = new DatabaseUnavailableError('PostgreSQL is read-only')
      throw client.unusableReason
    })
    await withDeadline(CHECK_WITHIN_MILLISECONDS, () => check, { createError: lateCheckError })
  }

  async close(): Promise<void> {
    await this.#pool.end()
    for (const client of this.#clients) client.unrefSocket()
  }

  /** Retries after a conflict with another transaction, with backoff, until a deadline. */
  #retryOnConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
    return retryWhilePossible(attempt, {
      conflictSeconds: this.#deadlines.conflictSeconds,
      poolSize: this.#poolSize,
      onRetry: (reason) => {
        this.#metrics.countRetry(reason)
        if (reason === 'unprepared') this.#stopPreparing()
      },
    })
  }

  #attempt<Result>(
    work: (tx: PostgresTransaction, send: Send) => Promise<Result>,
    { isolation = 'serializable', answerWithin = this.#answerWithin }: AttemptOptions = {},
  ): Promise<Result> {
    return this.#withClient(async (client) => {
      const send: Send = (query) => this.#send(client, query, answerWithin)
      const tx = new PostgresTransaction(send, {
        begin: BEGIN[isolation],
        seesLatestCommits: isolation === 'read committed',
      })
      try {
        const result = await work(tx, send)
        // Before the response: what is sent after COMMIT or ROLLBACK would be committed by itself.
        tx.end()
        await client.commit(answerWithin)
        notifyCommitted(tx.listeners, this.#logger)
        return result
      } catch (error) {
        tx.end()
        await client.rollback(answerWithin)
        throw tx.causeOf(error)
      }
    })
  }

  /** A read can be repeated on another connection. */
  async #readStatement(query: pg.QueryConfig): Promise<pg.QueryResult> {
    return this.#retryOnConflict(() => this.#withClient((client) => this.#send(client, query, this.#answerWithin)))
  }

  #send(client: PooledClient, query: pg.QueryConfig, answerWithin: number): Promise<pg.QueryResult> {
    const send = () => client.send(this.#withoutName(query), answerWithin)
    if (!this.#tracer) return send()
    // The text has placeholders, so it holds no data.
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': query.text }
    return this.#tracer.run('query', { kind: 'client', attributes, onlyWithinTrace: true }, send)
  }

  #withoutName(query: pg.QueryConfig): pg.QueryConfig {
    return this.#preparesStatements || query.name === undefined
      ? query
      : { text: query.text, values: query.values ?? [] }
  }

  #stopPreparing(): void {
    if (!this.#preparesStatements) return
    this.#preparesStatements = false
    this.#logger?.warn(
      {},
      'a connection pooler does not keep prepared statements; continuing without them, more slowly',
    )
  }

  async #withClient<Result>(use: (client: PooledClient) => Promise<Result>): Promise<Result> {
    const began = performance.now()
    const client = (await this.#connected(() => this.#pool.connect())) as PooledClient
    this.#metrics.observeWait((performance.now() - began) / 1000)
    try {
      // A statement, not a connection parameter: poolers such as PgBouncer reject unknown parameters.
      if (!client.isConfigured) {
        await client.send({ text: setDeadlines('set', this.#deadlines) }, this.#answerWithin)
        client.isConfigured = true
      }
      return await use(client)
    } finally {
      client.release(client.unusableReason)
    }
  }

  async #connected<Result>(connect: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    try {
      return await connect()
    } catch (error) {
      const { connectSeconds } = this.#deadlines
      const isLate = performance.now() - began >= connectSeconds * 1000 - 1
      throw toConnectError({ error, target: this.#target, ...(isLate && { waitedSeconds: connectSeconds }) })
    }
  }

  get #answerWithin(): number {
    return this.#deadlines.statementSeconds * 1000 + GRACE_MILLISECONDS
  }
}

/** Parses the URL once; the driver would report an invalid URL on each connection. */
function parseUrl(url: string): Target {
  try {
    return new pg.Client(url)
  } catch (error) {
    throw new DatabaseUrlError((error as Error).message, { cause: error })
  }
}

const lateCheckError = () =>
  new DatabaseUnavailableError(`PostgreSQL did not respond within ${CHECK_WITHIN_MILLISECONDS} ms`)

// Counts and money fit a JavaScript number; pg returns 64-bit integers as text.
const parseTypes: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text')
