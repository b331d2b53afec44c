import Sqlite from 'better-sqlite3'
import { type DatabaseLogger, notifyCommitted } from './commit-listeners.ts'
import {
  type Database,
  DatabaseUnavailableError,
  type Reader,
  type SchemaTransaction,
  type Transaction,
} from './port.ts'
import type { PreparedQuery, Query } from './query.ts'
import { SqliteConnection } from './sqlite-connection.ts'

const IN_MEMORY = ':memory:'

const BUSY_TIMEOUT_MILLISECONDS = 5_000
const LOCK_RETRY_MILLISECONDS = 1
const MAX_GROUP_SIZE = 256
const CHECKPOINT_PAGES = 8_000
const MAPPED_BYTES = 2 ** 31 - 65_536

interface QueuedWork {
  work(tx: Transaction): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

interface SqliteOptions {
  mapped?: boolean
  logger?: DatabaseLogger | undefined
  /** The bytes of a database file, for a database in memory that starts with its content. */
  image?: Uint8Array | undefined
}

/** Resolves one queued transaction after the whole group is on disk. */
type Settle = () => void

/**
 * SQLite in this process, with one connection for writes and one for reads.
 *
 * Transactions that wait at the same time run as savepoints of one SQLite transaction and resolve after its commit. The
 * group shares the cost of one fsync, and nothing resolves before it is on disk.
 */
export class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #logger: DatabaseLogger | undefined
  #snapshotIsOpen = false
  #queue: QueuedWork[] = []
  #group: Promise<void> | undefined

  /**
   * Memory-mapped, so that point queries read pages from the page cache without a system call. Reading a whole table
   * would count all of it as memory of the process.
   */
  constructor(path: string, { mapped = true, logger, image }: SqliteOptions = {}) {
    this.#logger = logger
    const mappedBytes = mapped ? MAPPED_BYTES : 0
    const source = path === IN_MEMORY && image ? Buffer.from(image) : path
    this.#writer = new SqliteConnection(openSqlite(source, { readonly: false, mappedBytes }))
    // An in-memory database has one connection. Readers wait for the group that is being written.
    this.#reader =
      path === IN_MEMORY ? this.#writer : new SqliteConnection(openSqlite(path, { readonly: true, mappedBytes }))
  }

  read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    if (this.#reader === this.#writer) return this.#readAfterGroup(work)
    this.#openSnapshot()
    return work(this.#reader)
  }

  peek<Row, Params>(query: PreparedQuery<Params, Row>, params: Params): Row | undefined {
    if (this.#reader === this.#writer) return undefined
    this.#openSnapshot()
    return this.#reader.peek(query, params)
  }

  async #readAfterGroup<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    await this.#group
    return work(this.#reader)
  }

  transact<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
      this.#group ??= this.#runQueue()
    })
  }

  transactSchema<Result>(work: (tx: SchemaTransaction) => Promise<Result>): Promise<Result> {
    return this.transact((tx) => work(tx as SqliteTransaction))
  }

  alterOnline: Database['alterOnline'] = (work) => work((sql) => this.transactSchema((tx) => tx.execute(sql)))

  /** Takes the write lock, which fails for a read-only file, and writes nothing. */
  async checkWritable(): Promise<void> {
    await this.transact(async () => {})
  }

  async clear(): Promise<void> {
    await this.transact(async () => {
      const sqlite = this.#writer.raw
      // Tables are cleared in any order, because references are checked at commit.
      sqlite.pragma('defer_foreign_keys = on')
      const tables = sqlite
        .prepare(
          `select name from sqlite_master where type = 'table' and name not in ('migrations') and name not like 'sqlite_%'`,
        )
        .pluck()
        .all() as string[]
      for (const table of tables) sqlite.exec(`delete from "${table}"`)
    })
  }

  async close(): Promise<void> {
    while (this.#group) await this.#group
    this.#endSnapshot()
    if (this.#reader !== this.#writer) this.#reader.raw.close()
    this.#writer.raw.close()
  }

  /**
   * Takes the read locks once per event-loop tick, because for a point query they cost more than the query. Commits of
   * this process end it; commits of other processes are visible one tick later at the latest.
   */
  #openSnapshot(): void {
    if (this.#snapshotIsOpen) return
    if (!this.#reader.raw.inTransaction) this.#reader.command('begin')
    this.#snapshotIsOpen = true
    setImmediate(() => this.#endSnapshot())
  }

  #endSnapshot(): void {
    if (!this.#snapshotIsOpen) return
    this.#snapshotIsOpen = false
    endReadTransaction(this.#reader)
  }

  async #runQueue(): Promise<void> {
    // Wait for the end of this event-loop tick, so that requests that arrived together commit together.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) await this.#runGroup(this.#queue.splice(0, MAX_GROUP_SIZE))
    this.#group = undefined
  }

  async #runGroup(group: QueuedWork[]): Promise<void> {
    const settles: Settle[] = []
    try {
      await this.#beginWriting()
      for (const queued of group) settles.push(await this.#runQueued(queued, { isAlone: group.length === 1 }))
      this.#writer.command('commit')
      // Reads after this point must see the commit.
      this.#endSnapshot()
    } catch (cause) {
      const error = toUnavailableError(cause)
      for (const queued of group) queued.reject(error)
      this.#rollBack()
      return
    }
    for (const settle of settles) settle()
  }

  /** Never throws, because the writer has other groups to serve. */
  #rollBack(): void {
    try {
      if (this.#writer.raw.inTransaction) this.#writer.command('rollback')
    } catch (err) {
      this.#logger?.error({ err }, 'SQLite rollback failed; retrying')
    }
  }

  /**
   * The worker's connection may be writing. SQLite's own wait would block the thread, including reads, so this retries
   * after a short time instead.
   */
  async #beginWriting(): Promise<void> {
    this.#rollBack()
    for (let waited = 0; ; waited += LOCK_RETRY_MILLISECONDS) {
      try {
        this.#writer.command('begin immediate')
        return
      } catch (error) {
        if (!isBusy(error) || waited >= BUSY_TIMEOUT_MILLISECONDS) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MILLISECONDS))
    }
  }

  /** A single transaction needs no savepoint, for which SQLite would save the original of all changed pages. */
  async #runQueued({ work, resolve, reject }: QueuedWork, { isAlone }: { isAlone: boolean }): Promise<Settle> {
    const tx = new SqliteTransaction(this.#writer)
    if (!isAlone) this.#writer.command('savepoint one')
    try {
      const value = await work(tx)
      if (!isAlone) this.#writer.command('release one')
      return () => {
        resolve(value)
        notifyCommitted(tx.listeners, this.#logger)
      }
    } catch (error) {
      // SQLite has rolled back the whole group, for example because the disk is full.
      if (!this.#writer.raw.inTransaction) throw error
      // For a single transaction, the group commits an empty transaction.
      for (const command of isAlone ? ['rollback', 'begin'] : ['rollback to one', 'release one']) {
        this.#writer.command(command)
      }
      return () => reject(toUnavailableError(error))
    } finally {
      tx.end()
    }
  }
}

function openSqlite(
  path: string | Buffer,
  { readonly, mappedBytes }: { readonly: boolean; mappedBytes: number },
): Sqlite.Database {
  const sqlite = new Sqlite(path, { readonly, timeout: BUSY_TIMEOUT_MILLISECONDS })
  if (!readonly) {
    sqlite.pragma('journal_mode = wal')
    sqlite.pragma('synchronous = full')
    sqlite.pragma('foreign_keys = on')
    // Under load, the log is checkpointed a few times per minute, not per second, so that pages that change often are
    // copied once.
    sqlite.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    sqlite.pragma('busy_timeout = 0') // see #beginWriting
  }
  sqlite.pragma(`mmap_size = ${mappedBytes}`)
  return sqlite
}

/** Never throws, because a damaged file must not end the process. */
function endReadTransaction(reader: SqliteConnection): void {
  for (const command of ['commit', 'rollback']) {
    try {
      if (reader.raw.inTransaction) reader.command(command)
    } catch {
      // The read reports the same damage.
    }
  }
}

const isOf = (error: unknown, code: string) => error instanceof Sqlite.SqliteError && error.code.startsWith(code)
const isBusy = (error: unknown) => isOf(error, 'SQLITE_BUSY')

const OUTAGES = {
  SQLITE_BUSY: 'The database is locked by another process',
  SQLITE_FULL: 'The disk is full',
  SQLITE_READONLY: 'The database file is not writable',
  SQLITE_IOERR: 'The database file cannot be read or written',
}

function toUnavailableError(cause: unknown): unknown {
  const outage = Object.entries(OUTAGES).find(([code]) => isOf(cause, code))
  return outage ? new DatabaseUnavailableError(outage[1], { cause }) : cause
}

/** The write connection during one transaction. A query after its end fails instead of running outside of it. */
class SqliteTransaction implements SchemaTransaction {
  #connection: SqliteConnection | undefined
  listeners: readonly (() => void)[] = []

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  all<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row[]> {
    return this.#open().all(query, params)
  }

  first<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row | undefined> {
    return this.#open().first(query, params)
  }

  run<Params>(command: Query<unknown> | PreparedQuery<Params, unknown>, params?: Params): Promise<number> {
    return this.#open().run(command, params)
  }

  runEach<Params>(command: PreparedQuery<Params, unknown>, each: readonly Params[]): Promise<void> {
    return this.#open().runEach(command, each)
  }

  async execute(sql: string): Promise<void> {
    this.#open().raw.exec(sql)
  }

  afterCommit(listener: () => void): void {
    if (!this.listeners.includes(listener)) this.listeners = [...this.listeners, listener]
  }

  end(): void {
    this.#connection = undefined
  }

  #open(): SqliteConnection {
    if (!this.#connection) throw new Error('This transaction has ended; its handle must no longer be used')
    return this.#connection
  }
}
