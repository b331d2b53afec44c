import { endOfTick } from '../end-of-tick.ts'
import type { DatabaseLogger } from './commit-listeners.ts'
import type { Database, Reader, SchemaTransaction, Transaction, TransactionOptions } from './port.ts'
import type { PreparedQuery } from './query.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { openInFile, openInMemory } from './sqlite-copy.ts'
import { isBusy, toUnavailableError } from './sqlite-errors.ts'
import { BUSY_TIMEOUT_MILLISECONDS, openSqlite } from './sqlite-file.ts'
import { type QueuedWork, type Settle, SqliteGroup } from './sqlite-group.ts'
import { bufferOf, checkImage, withoutLog } from './sqlite-image.ts'
import { SqliteLoader } from './sqlite-loader.ts'
import { SqliteSharedReader } from './sqlite-shared-reader.ts'
import type { SqliteTransaction } from './sqlite-transaction.ts'

const IN_MEMORY = ':memory:'

const LOCK_RETRY_MILLISECONDS = 1
const MAX_GROUP_SIZE = 256
const MAPPED_BYTES = 2 ** 31 - 65_536

interface SqliteOptions {
  mapped?: boolean
  logger?: DatabaseLogger | undefined
  /**
   * The bytes of a database file, for a database in memory that starts with its content. It is then in a temporary
   * file, if that is possible.
   */
  image?: Uint8Array | undefined
}

/**
 * SQLite in this process, with one connection for writes and one for reads.
 *
 * Transactions that wait at the same time run as one SQLite transaction and resolve after its commit. The group shares the
 * cost of one fsync, and nothing resolves before it is on disk.
 */
export class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly #path: string
  readonly #mappedBytes: number
  #writer: SqliteConnection
  #reader: SqliteConnection
  readonly #loader: SqliteLoader
  readonly #logger: DatabaseLogger | undefined
  #snapshotIsOpen = false
  /** Forks of a marketplace start from the same image. Held weakly: it is as large as the database. */
  #lastImage: { changes: unknown; image: WeakRef<Buffer> } | undefined
  #queue: QueuedWork[] = []
  #group: Promise<void> | undefined

  /**
   * Memory-mapped, so that point queries read pages from the page cache without a system call. Reading a whole table
   * would count all of it as memory of the process.
   */
  constructor(path: string, { mapped = true, logger, image }: SqliteOptions = {}) {
    this.#path = path
    this.#logger = logger
    this.#mappedBytes = mapped ? MAPPED_BYTES : 0
    ;[this.#writer, this.#reader] = this.#open(image)
    this.#loader = new SqliteLoader(path, { mappedBytes: this.#mappedBytes })
  }

  #open(image?: Uint8Array, openCopy = openInFile): [writer: SqliteConnection, reader: SqliteConnection] {
    const mappedBytes = this.#mappedBytes
    // An in-memory database has one connection. Readers wait for the group that is being written.
    if (this.#path === IN_MEMORY) {
      const sqlite = image ? openCopy(bufferOf(image)) : openSqlite(this.#path, { readonly: false, mappedBytes })
      const connection = new SqliteConnection(sqlite)
      return [connection, connection]
    }
    const writer = new SqliteConnection(openSqlite(this.#path, { readonly: false, mappedBytes }))
    return [writer, new SqliteConnection(openSqlite(this.#path, { readonly: true, mappedBytes }))]
  }

  /** Returns the whole content, as the bytes of a database file. Callers must not change them. */
  async image(): Promise<Uint8Array> {
    while (this.#group) await this.#group
    const sqlite = this.#writer.raw
    // The second part counts the commits of other connections.
    const changes = sqlite
      .prepare("select total_changes() || '/' || data_version from pragma_data_version")
      .pluck()
      .get()
    const last = this.#lastImage?.changes === changes ? this.#lastImage?.image.deref() : undefined
    if (last) return last
    const image = withoutLog(sqlite.serialize())
    this.#lastImage = { changes, image: new WeakRef(image) }
    return image
  }

  /**
   * Replaces the whole content, or throws and keeps it. It is durable with the next commit. No other caller may use the
   * database meanwhile.
   */
  async load(image: Uint8Array): Promise<void> {
    checkImage(image)
    while (this.#group) await this.#group
    if (this.#path === IN_MEMORY) {
      // No await from here on, so that no caller uses a closed connection.
      const next = this.#open(image, this.#writer.raw.memory ? openInMemory : openInFile)
      this.#closeConnections()
      ;[this.#writer, this.#reader] = next
      this.#lastImage = undefined
      return
    }
    try {
      await retryWhileLocked(() => this.#loader.load(image))
    } catch (error) {
      throw toUnavailableError(error)
    }
    // Reads after this point must see the new content.
    this.#endSnapshot()
  }

  read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    if (this.#reader === this.#writer) return this.#readAfterGroup(work)
    this.#openSnapshot()
    return work(this.#reader)
  }

  readLarge<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    return this.read(work)
  }

  peek<Row, Params>(query: PreparedQuery<Params, Row>, params: Params): Row | undefined {
    if (this.#reader === this.#writer) return undefined
    this.#openSnapshot()
    return this.#reader.peek(query, params)
  }

  async #readAfterGroup<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    await this.#group
    return work(new SqliteSharedReader(this.#reader, () => this.#group))
  }

  transact<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const { onRetry } = options ?? {}
      this.#queue.push({ work, onRetry, resolve: resolve as (value: unknown) => void, reject })
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

  clear(): Promise<void> {
    return this.replace(async () => {})
  }

  replace<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.transactSchema(async (tx) => {
      // Tables are cleared in any order, because references are checked at commit.
      await tx.execute('pragma defer_foreign_keys = on')
      const tables = this.#writer.raw
        .prepare(
          `select name from sqlite_master where type = 'table' and name not in ('migrations') and name not like 'sqlite_%'`,
        )
        .pluck()
        .all() as string[]
      for (const table of tables) await tx.execute(`delete from "${table}"`)
      return work(tx)
    })
  }

  async close(): Promise<void> {
    while (this.#group) await this.#group
    this.#closeConnections()
  }

  #closeConnections(): void {
    this.#endSnapshot()
    this.#loader.close()
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
    await endOfTick()
    while (this.#queue.length > 0) await this.#runGroup(this.#queue.splice(0, MAX_GROUP_SIZE))
    this.#group = undefined
  }

  async #runGroup(group: QueuedWork[]): Promise<void> {
    let settles: Settle[]
    try {
      const begin = () => this.#beginWriting({ isAlone: group.length === 1 })
      settles = await new SqliteGroup({ connection: this.#writer, logger: this.#logger, begin }).run(group)
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

  async #beginWriting({ isAlone }: { isAlone: boolean }): Promise<void> {
    this.#rollBack()
    this.#writer.keepOriginals(isAlone ? 'file' : 'memory')
    await retryWhileLocked(() => this.#writer.command('begin immediate'))
  }
}

/**
 * The worker's connection, or another program, may be writing. SQLite's own wait would block the thread, including reads,
 * so this retries after a short time instead.
 */
async function retryWhileLocked(attempt: () => void | Promise<void>): Promise<void> {
  for (let waited = 0; ; waited += LOCK_RETRY_MILLISECONDS) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || waited >= BUSY_TIMEOUT_MILLISECONDS) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MILLISECONDS))
  }
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
