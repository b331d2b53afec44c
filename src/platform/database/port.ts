import { UnavailableError } from '../errors/unavailable-error.ts'
import type { Metric } from '../metrics/port.ts'
import type { Dialect } from './dialect.ts'
import type { PreparedQuery, Query } from './query.ts'

/**
 * Runs queries. Each statement sees the latest commit; statements do not share a snapshot, so one reads what has to
 * agree.
 */
export interface Reader {
  readonly dialect: Dialect
  all<Row>(query: Query<Row>): Promise<Row[]>
  all<Row, Params>(query: PreparedQuery<Params, Row>, params: Params): Promise<Row[]>
  first<Row>(query: Query<Row>): Promise<Row | undefined>
  first<Row, Params>(query: PreparedQuery<Params, Row>, params: Params): Promise<Row | undefined>
}

/**
 * How a transaction is kept apart from concurrent ones on PostgreSQL. `read committed` locks what its rules depend on: rows
 * with `forUpdate()`, and rows that may not exist yet with `lock`. SQLite has one writer, so neither has a cost there.
 */
export type Isolation = 'serializable' | 'read committed'

export interface TransactionOptions {
  /** Default: serializable. docs/decisions/storage.md has the reason for each other choice. */
  isolation?: Isolation
  /** Called before each further attempt. */
  onRetry?(): void
}

/** A reader that can also write. */
export interface Transaction extends Reader {
  /** Whether each statement sees what was committed before it, and not only what was committed before the transaction. */
  readonly seesLatestCommits: boolean
  /** Runs a statement. Returns the number of changed rows. */
  run(command: Query<unknown>): Promise<number>
  run<Params>(command: PreparedQuery<Params, unknown>, params: Params): Promise<number>
  /**
   * Runs a statement for each parameter set, in order. Does not wait for their end: an error of one fails the
   * transaction, at the latest at its commit.
   */
  runEach<Params>(command: PreparedQuery<Params, unknown>, each: readonly Params[]): Promise<void>
  /**
   * Locks keys of a kind until the end of the transaction. Any number of transactions can share a key. Does not wait either;
   * what runs next has the lock. Returns false if nothing had to be locked: what was read before cannot have changed.
   *
   * Keys of one call are locked in one order. docs/decisions/storage.md has the order of kinds.
   */
  lock(kind: string, keys: readonly string[], mode: LockMode): Promise<boolean>
  /** Locks those keys that no other transaction has locked, exclusively, and returns them. */
  tryLock(kind: string, keys: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Calls the listener after the commit; never after a rollback. An error of a listener is logged and has no other
   * effect.
   */
  afterCommit(listener: () => void): void
}

export type LockMode = 'shared' | 'exclusive'

export interface SchemaTransaction extends Transaction {
  execute(sql: string): Promise<void>
}

export interface Database {
  readonly dialect: Dialect
  /** Of its connections, where it has several. */
  readonly metrics?: readonly Metric[]
  read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>
  /**
   * The same for searches, pages of lists and reports, which a replica can serve. What was committed before the call is
   * there, by whichever process.
   */
  readLarge<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>
  /**
   * Returns the row synchronously if the adapter can. `undefined` does not mean that the row is missing: fall back to
   * `read`. For queries so frequent that waiting itself is a cost.
   */
  peek<Row, Params>(query: PreparedQuery<Params, Row>, params: Params): Row | undefined
  /**
   * Runs the work and returns after the commit is on disk; an error rolls everything back. The work can run again after
   * a conflict, or because another one failed that was to commit with it, and blocks every other writer while it runs,
   * so it does database work only and never waits for anything else.
   */
  transact<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /** The same for work that also changes the schema. */
  transactSchema<Result>(work: (tx: SchemaTransaction) => Promise<Result>): Promise<Result>
  /**
   * Runs statements that cannot be part of a transaction, such as `create index concurrently`. Other processes that call
   * this wait for it.
   */
  alterOnline<Result>(work: (execute: (sql: string) => Promise<void>) => Promise<Result>): Promise<Result>
  /** Throws a DatabaseUnavailableError unless the database can be written to, and does so within seconds. */
  checkWritable(): Promise<void>
  /** Empties every table but the list of migrations. */
  clear(): Promise<void>
  /** Empties them, and runs the work that fills them again, in one transaction. */
  replace<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** The database is unreachable or too busy to respond in time. A later attempt may succeed. */
export class DatabaseUnavailableError extends UnavailableError {
  override name = 'DatabaseUnavailableError'
}

/** A statement took too long, or waited too long for a lock, perhaps because of what it was about: others may succeed. */
export class StatementDeadlineError extends DatabaseUnavailableError {
  override name = 'StatementDeadlineError'
}

/** The address of the database cannot be used, whatever the server does. The message never holds the password. */
export class DatabaseUrlError extends Error {
  override name = 'DatabaseAddressError'
}

/** The same for the address of the replica. */
export class ReplicaUrlError extends DatabaseUrlError {}
