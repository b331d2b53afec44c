import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { withDeadline } from '../deadline.ts'
import type { Metric } from '../metrics/port.ts'
import { type DatabaseLogger, notifyCommitted } from './commit-listeners.ts'
import {
  type Database,
  DatabaseUnavailableError,
  type Isolation,
  type Reader,
  type SchemaTransaction,
  type Transaction,
  type TransactionOptions,
} from './port.ts'
import { prepared, type Statement } from './postgres-batch.ts'
import { NO_DEADLINE } from './postgres-client.ts'
import { PostgresReader, PostgresTransaction, type Send } from './postgres-connection.ts'
import { PostgresLookups } from './postgres-lookups.ts'
import { type PoolOptions, PostgresPool } from './postgres-pool.ts'
import { PostgresReplica, type ReplicaSettings } from './postgres-replica.ts'
import { migrationSettings, setParameters } from './postgres-settings.ts'
import { PostgresSideConnection } from './postgres-side-connection.ts'
import { LIMIT_TABLE_LOCKS, retryWhileLocked } from './schema-locks.ts'

interface AttemptOptions extends TransactionOptions {
  answerWithin?: number
}

export interface PostgresOptions extends Omit<PoolOptions, 'silence'> {
  /** How long the server may respond to nothing at all before work fails. Default: until the deadlines of the work. */
  silenceMilliseconds?: number | undefined
  /** A server that follows this one and takes large reads from it. */
  replica?: ReplicaSettings | undefined
}

const CHECK_WITHIN_MILLISECONDS = 3_000
const BEGIN: Record<Isolation, Statement> = {
  serializable: prepared('begin isolation level serializable'),
  'read committed': prepared('begin isolation level read committed'),
}
// `create table if not exists` fails while another session creates the same table. The lock id spells "souk".
const LOCK_SCHEMA_CHANGES = 'select pg_advisory_xact_lock(1936684395)'
const TRY_LOCK_ONLINE_CHANGES = 'select pg_try_advisory_lock(1936684396) as locked'
const LOCK_RETRY_MILLISECONDS = 200
const TABLES = `select tablename from pg_tables where schemaname = current_schema() and tablename <> 'migrations'`

/** PostgreSQL. Transactions are serializable unless they ask for less, and retried on conflict. */
export class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly #pool: PostgresPool
  /** Says how the server is, also while the pool is busy. */
  readonly #state: PostgresSideConnection
  readonly #replica: PostgresReplica | undefined
  readonly #reader: Reader
  readonly #logger: DatabaseLogger | undefined

  constructor({ replica, silenceMilliseconds: milliseconds, ...options }: PostgresOptions) {
    this.#logger = options.logger
    const probe = (isSilent: boolean) => this.#state.send('select 1', isSilent ? this.#pool.answerWithin : undefined)
    this.#pool = new PostgresPool({ ...options, silence: milliseconds ? { milliseconds, probe } : undefined })
    this.#state = new PostgresSideConnection(this.#pool)
    const read: Send = (query) => this.#pool.read(query)
    const lookups = new PostgresLookups(this.#pool)
    this.#reader = new PostgresReader(read, (query) => lookups.send(query))
    const askPrimary = (text: string) => this.#ask(text)
    this.#replica = replica && new PostgresReplica({ ...options, ...replica, readFromPrimary: read, askPrimary })
  }

  read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    return work(this.#reader)
  }

  readLarge<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    return work(this.#replica?.createReader() ?? this.#reader)
  }

  get metrics(): readonly Metric[] {
    return [...this.#pool.metrics, ...(this.#replica?.metrics ?? [])]
  }

  peek(): undefined {
    return undefined
  }

  transact<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result> {
    return this.#pool.retryOnConflict(() => this.#attempt(work, options), options?.onRetry)
  }

  /** Migrations have no deadline and wait for each other, but only briefly for tables. */
  transactSchema<Result>(work: (tx: SchemaTransaction) => Promise<Result>): Promise<Result> {
    const withoutDeadlines = async (tx: PostgresTransaction) => {
      await tx.execute(setParameters('set local', migrationSettings))
      await tx.execute(LOCK_SCHEMA_CHANGES)
      await tx.execute(LIMIT_TABLE_LOCKS)
      return work(tx)
    }
    const attempt = () => this.#attempt(withoutDeadlines, { answerWithin: NO_DEADLINE })
    return retryWhileLocked(() => this.#pool.retryOnConflict(attempt))
  }

  /**
   * On a connection outside the pool, which may have no second one for the work. It is closed at the end, which releases
   * the lock and ends the settings.
   */
  async alterOnline<Result>(work: (execute: (sql: string) => Promise<void>) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connectApart()
    try {
      const execute = async (text: string) => client.send({ text }, NO_DEADLINE)
      await execute(setParameters('set', migrationSettings))
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
    return this.#pool.retryOnConflict(() =>
      this.#attempt(async (tx, send) => {
        const { rows } = await send({ text: TABLES })
        await tx.execute(`truncate ${rows.map(({ tablename }) => `"${tablename}"`).join(', ')}`)
        return work(tx)
      }),
    )
  }

  async checkWritable(): Promise<void> {
    // A connection that was opened earlier says nothing about those that requests cannot open now. While the server is
    // silent, the probe waits on it.
    if (this.#pool.isRefused && !this.#pool.isSilent) this.#state.discard()
    const check = () => this.#ask('show transaction_read_only')
    const { rows } = await withDeadline(CHECK_WITHIN_MILLISECONDS, check, { createError: lateCheckError })
    if (rows[0]?.transaction_read_only !== 'on') return
    // After a failover, the same address may lead to another server.
    this.#state.discard()
    throw new DatabaseUnavailableError('PostgreSQL is read-only')
  }

  async close(): Promise<void> {
    this.#state.close()
    await Promise.all([this.#replica?.close(), this.#pool.close()])
  }

  #attempt<Result>(
    work: (tx: PostgresTransaction, send: Send) => Promise<Result>,
    { isolation = 'serializable', answerWithin = this.#pool.answerWithin }: AttemptOptions = {},
  ): Promise<Result> {
    return this.#pool.withClient(async (client) => {
      const send: Send = (query) => this.#pool.send(client, query, answerWithin)
      const tx = new PostgresTransaction(send, {
        ...this.#pool.begin(client, BEGIN[isolation]),
        seesLatestCommits: isolation === 'read committed',
      })
      try {
        const result = await work(tx, send)
        // Before the response: what is sent after COMMIT or ROLLBACK would be committed by itself.
        tx.end()
        await this.#pool.commit(client, answerWithin)
        await tx.begun
        notifyCommitted(tx.listeners, this.#logger)
        return result
      } catch (error) {
        tx.end()
        await client.rollback(answerWithin)
        throw tx.causeOf(error)
      }
    })
  }

  /** Repeats the statement on a new connection if the one that was kept is lost. */
  #ask(text: string): Promise<pg.QueryResult> {
    return this.#pool.whileHeard(() => this.#pool.retryOnConflict(() => this.#state.send(text)))
  }
}

const lateCheckError = () =>
  new DatabaseUnavailableError(`PostgreSQL did not respond within ${CHECK_WITHIN_MILLISECONDS} ms`)
