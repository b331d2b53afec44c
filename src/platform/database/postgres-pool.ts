import pg from 'pg'
import type { Metric } from '../metrics/port.ts'
import type { Tracer } from '../tracing/port.ts'
import { AbandonedConnections } from './abandoned-connections.ts'
import type { DatabaseLogger } from './commit-listeners.ts'
import { DatabaseUrlError } from './port.ts'
import { prepared, type Statement } from './postgres-batch.ts'
import { type ClientConfig, PoolClient, type PooledClient, PostgresClient } from './postgres-client.ts'
import type { BeginStatements } from './postgres-connection.ts'
import { defaultPostgresDeadlines, type PostgresDeadlines } from './postgres-deadlines.ts'
import { type Target, toConnectError } from './postgres-errors.ts'
import { LostConnections, OWN_SESSION } from './postgres-lost-connections.ts'
import { PostgresMetrics } from './postgres-metrics.ts'
import { retryWhilePossible } from './postgres-retries.ts'
import { serviceSettings, setInTransaction, setParameters } from './postgres-settings.ts'
import { SilenceMonitor, type SilenceOptions } from './postgres-silence.ts'

export interface PoolOptions {
  url: string
  poolSize: number
  deadlines?: Partial<PostgresDeadlines> | undefined
  /** How the server lists the connections. Default: that of the URL. */
  applicationName?: string | undefined
  /** Omitted if work waits for a server that hangs, each statement until its own deadline. */
  silence?: Pick<SilenceOptions, 'milliseconds' | 'probe'> | undefined
  /** Whether work also ends behind a pooler, all of whose connections may be busy. Default: true. */
  endsBehindSilentPooler?: boolean | undefined
  /** Omitted if queries are not traced. */
  tracer?: Tracer | undefined
  logger?: DatabaseLogger | undefined
}

// The server cancels a statement at its deadline. If it does not, the connection is cut.
const GRACE_MILLISECONDS = 2_000
const KEEPALIVE_AFTER_MILLISECONDS = 10_000
const INT8_OID = 20
const COMMIT = prepared('commit')

/** The connections of this process to one server of PostgreSQL. */
export class PostgresPool {
  /** How long a connection may be silent after a statement was sent. */
  readonly answerWithin: number
  readonly #pool: pg.Pool
  readonly #connection: ClientConfig
  readonly #deadlines: PostgresDeadlines
  readonly #target: Target
  readonly #poolSize: number
  readonly #logger: DatabaseLogger | undefined
  readonly #clients = new Set<PostgresClient>()
  readonly #inUse = new Set<PostgresClient>()
  readonly #abandoned: AbandonedConnections
  readonly #metrics = new PostgresMetrics()
  readonly #tracer: Tracer | undefined
  readonly #silence: SilenceMonitor | undefined
  readonly #lost: LostConnections | undefined
  readonly #endsBehindSilentPooler: boolean
  /** Until a pooler between Souk and PostgreSQL turns out not to support it. */
  #preparesStatements = true
  #isRefused = false

  constructor(options: PoolOptions) {
    const {
      url,
      poolSize,
      deadlines,
      applicationName,
      silence,
      endsBehindSilentPooler = true,
      tracer,
      logger,
    } = options
    this.#deadlines = { ...defaultPostgresDeadlines, ...deadlines }
    this.answerWithin = this.#deadlines.statementSeconds * 1000 + GRACE_MILLISECONDS
    this.#logger = logger
    this.#poolSize = poolSize
    this.#abandoned = new AbandonedConnections(poolSize)
    this.#tracer = tracer
    this.#silence = silence && new SilenceMonitor({ ...silence, logger, onSilence: (error) => this.#abandon(error) })
    this.#lost =
      silence &&
      new LostConnections({
        server: this,
        silenceMilliseconds: silence.milliseconds,
        list: () => [...this.#clients].map((client) => ({ client, isInUse: this.#inUse.has(client) })),
        logger,
      })
    this.#endsBehindSilentPooler = endsBehindSilentPooler
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
      silence: this.#silence,
    }
    const { lateness } = this.#lost ?? {}
    const config: pg.PoolConfig & ClientConfig = { ...this.#connection, lateness, max: poolSize }
    this.#pool = new pg.Pool({ ...config, Client: PoolClient })
    // A connection lost while idle is replaced on the next use.
    this.#pool.on('error', ({ message: reason }) => logger?.warn({ reason }, 'lost an idle connection to PostgreSQL'))
    this.#pool.on('connect', (client) => this.#clients.add(client as PooledClient))
    this.#pool.on('remove', (client) => this.#clients.delete(client as PooledClient))
  }

  /** Whether the last attempt to open a connection failed. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Whether the server responds to nothing. */
  get isSilent(): boolean {
    return this.#silence?.error !== undefined
  }

  get metrics(): readonly Metric[] {
    return this.#metrics.list({
      pool: this.#pool,
      poolSize: this.#poolSize,
      abandoned: this.#abandoned,
      isSilent: this.#silence && (() => this.isSilent),
    })
  }

  /** Retries after a conflict with another transaction, with backoff, until a deadline. */
  retryOnConflict<Result>(attempt: () => Promise<Result>, onRetry?: () => void): Promise<Result> {
    return retryWhilePossible(attempt, {
      conflictSeconds: this.#deadlines.conflictSeconds,
      poolSize: this.#poolSize,
      onRetry: (reason) => {
        this.#metrics.countRetry(reason)
        onRetry?.()
        if (reason === 'unprepared') this.stopPreparing()
      },
    })
  }

  async withClient<Result>(use: (client: PooledClient) => Promise<Result>): Promise<Result> {
    const began = performance.now()
    const client = await this.#takeClient().finally(() => this.#metrics.observeWait((performance.now() - began) / 1000))
    this.#inUse.add(client)
    try {
      // A statement, not a connection parameter: poolers such as PgBouncer reject unknown parameters.
      if (!client.isConfigured) await this.#configure(client)
      await this.#lost?.endAbandoned((text) => client.send({ text }, this.answerWithin))
      return await use(client)
    } finally {
      this.#inUse.delete(client)
      if (client.unusableReason) this.#lost?.abandon(client)
      this.#abandoned.release(client)
    }
  }

  /**
   * What begins a transaction, in one batch. Behind a pooler, its connection may not have the settings of the session.
   */
  begin(client: PostgresClient, begin: Statement): BeginStatements {
    if (!client.isPooled) return { begin }
    const settings = setInTransaction(serviceSettings(this.#deadlines))
    return { begin: this.#withoutName(begin), settings: this.#withoutName(settings) }
  }

  commit(client: PostgresClient, answerWithin: number): Promise<void> {
    return client.commit(this.#withoutName(COMMIT), answerWithin)
  }

  /** A connection besides those of the pool, for the caller to close. */
  async connectApart(): Promise<PostgresClient> {
    const client = new PostgresClient(this.#connection)
    await this.#connected(() => client.connect())
    return client
  }

  /** Waits for work, unless the server responds to nothing. */
  whileHeard<Result>(work: () => Promise<Result>, onLate?: (result: Result) => void): Promise<Result> {
    return this.#silence ? this.#silence.whileHeard(work, onLate) : work()
  }

  send(client: PostgresClient, query: Statement, answerWithin = this.answerWithin): Promise<pg.QueryResult> {
    return this.trace(query, () => this.#send(client, query, answerWithin))
  }

  /** A read can be repeated on another connection. */
  read(query: Statement): Promise<pg.QueryResult> {
    return this.retryOnConflict(() => this.withClient((client) => this.send(client, query)))
  }

  /** Reads in one round trip, for the caller to trace. If one fails, so do those that follow it. */
  readTogether(queries: readonly Statement[]): Promise<pg.QueryResult[]> {
    const send = (client: PostgresClient) => Promise.all(queries.map((query) => this.#send(client, query)))
    return this.retryOnConflict(() => this.withClient(send))
  }

  trace<Result>(query: Statement, work: () => Promise<Result>): Promise<Result> {
    if (!this.#tracer) return work()
    // The text has placeholders, so it holds no data.
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': query.text }
    return this.#tracer.run('query', { kind: 'client', attributes, onlyWithinTrace: true }, work)
  }

  stopPreparing(): void {
    if (!this.#preparesStatements) return
    this.#preparesStatements = false
    this.#logger?.warn(
      {},
      'a connection pooler does not keep prepared statements; continuing without them, more slowly',
    )
  }

  /** Ends all connections and what runs on them. New ones are opened on the next use. */
  cut(reason: Error): void {
    for (const client of this.#clients) client.cut(reason)
  }

  /** Waits for the work that uses a connection, unless it is cut. */
  async close({ cuts = false } = {}): Promise<void> {
    this.#silence?.close()
    this.#lost?.close()
    const ended = this.#pool.end()
    const reason = new Error('The pool was closed')
    for (const client of this.#clients) if (cuts || client.isAbandoned) client.cut(reason)
    this.#abandoned.cut(reason)
    await ended
    for (const client of this.#clients) client.unrefSocket()
  }

  #abandon(error: Error): void {
    for (const client of this.#clients) client.abandon(error)
  }

  #send(client: PostgresClient, query: Statement, answerWithin = this.answerWithin): Promise<pg.QueryResult> {
    return client.send(this.#withoutName(query), answerWithin)
  }

  #takeClient(): Promise<PooledClient> {
    const take = async () => (await this.#connected(() => this.#pool.connect())) as PooledClient
    return this.whileHeard(take, (client) => client.release())
  }

  async #configure(client: PostgresClient): Promise<void> {
    const text = `${setParameters('set', serviceSettings(this.#deadlines))}; select pg_backend_pid() as pid, ${OWN_SESSION} as session`
    // The driver returns a result for each of several statements.
    const results = (await client.send({ text }, this.answerWithin)) as unknown as pg.QueryResult[]
    // A pooler reports a process id of its own to its clients.
    const [own] = results.at(-1)?.rows ?? []
    client.isPooled = own?.pid !== client.processID
    if (!client.isPooled) client.session = own.session
    client.isConfigured = true
    if (client.isPooled && !this.#endsBehindSilentPooler) this.#silence?.close()
  }

  #withoutName(query: Statement): Statement {
    if (this.#preparesStatements || query.name === undefined) return query
    const { name: _, ...unnamed } = query
    return unnamed
  }

  async #connected<Result>(connect: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    try {
      const connected = await connect()
      this.#isRefused = false
      return connected
    } catch (error) {
      // With all connections in use, it only waited for one of them.
      this.#isRefused = this.#pool.totalCount < this.#poolSize
      const { connectSeconds } = this.#deadlines
      const isLate = performance.now() - began >= connectSeconds * 1000 - 1
      throw toConnectError({ error, target: this.#target, ...(isLate && { waitedSeconds: connectSeconds }) })
    }
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

// Counts and money fit a JavaScript number; pg returns 64-bit integers as text.
const parseTypes: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text')
