import { UnavailableError } from '../errors/unavailable-error.ts'
import type { Dialect } from './dialect.ts'
import type { PreparedQuery, Query } from './query.ts'

/** Runs queries. Each statement sees the latest commit; there is no snapshot across two of them. */
export interface Reader {
  all<Row>(query: Query<Row>): Promise<Row[]>
  all<Row, Params>(query: PreparedQuery<Params, Row>, params: Params): Promise<Row[]>
  first<Row>(query: Query<Row>): Promise<Row | undefined>
  first<Row, Params>(query: PreparedQuery<Params, Row>, params: Params): Promise<Row | undefined>
}

/** A reader that may also write. What it reads and writes behaves as if no other transaction ran beside it. */
export interface Transaction extends Reader {
  /** Runs a statement and answers how many rows it changed. */
  run(command: Query<unknown>): Promise<number>
  run<Params>(command: PreparedQuery<Params, unknown>, params: Params): Promise<number>
  /** Runs a statement for each of many, in their order, at the price of one round trip. */
  runEach<Params>(command: PreparedQuery<Params, unknown>, each: readonly Params[]): Promise<void>
  /**
   * Calls back when what was written is there for others to see. Never, when it is undone. A listener that throws is
   * logged and changes nothing.
   */
  afterCommit(listener: () => void): void
}

/** What only migrations need. */
export interface SchemaTransaction extends Transaction {
  execute(sql: string): Promise<void>
}

export interface Database {
  readonly dialect: Dialect
  read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>
  /**
   * The row that a query finds, where that can be told without waiting. Nothing says nothing: whoever gets it reads.
   * For what is asked so often that the waiting itself is a cost.
   */
  peek<Row, Params>(query: PreparedQuery<Params, Row>, params: Params): Row | undefined
  /**
   * Runs the work and commits it to disk before it answers; a throw undoes all of it. The work may be run again after
   * a conflict, and holds up every other writer while it runs: it does database work only, nothing that waits for
   * the world outside.
   */
  transact<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** The same for work that also changes what tables there are. */
  transactSchema<Result>(work: (tx: SchemaTransaction) => Promise<Result>): Promise<Result>
  /** Throws a DatabaseUnavailableError unless the database can be written to, and does so within seconds. */
  checkWritable(): Promise<void>
  /** Empties every table but the list of migrations. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** The database cannot be reached, or is too busy to answer in time. Trying again later may work. */
export class DatabaseUnavailableError extends UnavailableError {
  override name = 'DatabaseUnavailableError'
}

/** The address of the database cannot be used, whatever the server does. The message never holds the password. */
export class DatabaseUrlError extends Error {
  override name = 'DatabaseAddressError'
}
