import { type DatabaseLogger, notifyCommitted } from './commit-listeners.ts'
import type { Transaction } from './port.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { toUnavailableError } from './sqlite-errors.ts'
import { SqliteTransaction } from './sqlite-transaction.ts'

export interface QueuedWork {
  work(tx: Transaction): Promise<unknown>
  onRetry: (() => void) | undefined
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Resolves one queued transaction after the whole group is on disk. */
export type Settle = () => void

interface GroupOptions {
  connection: SqliteConnection
  logger: DatabaseLogger | undefined
  /** Begins a transaction of SQLite. */
  begin(): Promise<void>
}

/**
 * Transactions that run one after the other in one transaction of SQLite. They have no savepoints, for which SQLite
 * would save the original of each changed page: a quarter of the processor time of the statements of a patch. If one of
 * them fails after it has written, all are rolled back and run again, each in a savepoint.
 */
export class SqliteGroup {
  readonly #options: GroupOptions

  constructor(options: GroupOptions) {
    this.#options = options
  }

  /** Leaves the transaction of SQLite open, for the commit. */
  async run(group: readonly QueuedWork[]): Promise<Settle[]> {
    await this.#options.begin()
    const { settles, isUndone } = await this.#runPlain(group)
    if (!isUndone) return settles
    this.#command('rollback')
    await this.#options.begin()
    for (const { onRetry } of group.slice(0, settles.length)) onRetry?.()
    return this.#runInSavepoints(group)
  }

  /** Stops if one of several transactions fails after it has written: then all are to be undone. */
  async #runPlain(group: readonly QueuedWork[]): Promise<{ settles: Settle[]; isUndone: boolean }> {
    const { connection } = this.#options
    const settles: Settle[] = []
    for (const queued of group) {
      const writesBefore = connection.writes
      let hasWritten = false
      const onFailure = () => {
        hasWritten = connection.writes !== writesBefore
      }
      settles.push(await this.#runOne(queued, onFailure))
      if (!hasWritten) continue
      if (group.length > 1) return { settles, isUndone: true }
      // The group commits an empty transaction.
      this.#command('rollback')
      this.#command('begin')
    }
    return { settles, isUndone: false }
  }

  async #runInSavepoints(group: readonly QueuedWork[]): Promise<Settle[]> {
    const settles: Settle[] = []
    for (const queued of group) {
      this.#command('savepoint one')
      settles.push(await this.#runOne(queued, () => this.#command('rollback to one')))
      this.#command('release one')
    }
    return settles
  }

  async #runOne({ work, resolve, reject }: QueuedWork, onFailure: () => void): Promise<Settle> {
    const { connection, logger } = this.#options
    const tx = new SqliteTransaction(connection)
    try {
      const value = await work(tx)
      // The work has ignored the error. Another one must not run outside of a transaction.
      if (!connection.raw.inTransaction) throw new Error('SQLite has rolled back: no transaction is active')
      return () => {
        resolve(value)
        notifyCommitted(tx.listeners, logger)
      }
    } catch (error) {
      // SQLite has rolled back the whole group, for example because the disk is full.
      if (!connection.raw.inTransaction) throw error
      onFailure()
      return () => reject(toUnavailableError(error))
    } finally {
      tx.end()
    }
  }

  #command(sql: string): void {
    this.#options.connection.command(sql)
  }
}
