import { readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { DatabaseInUseError, LockFileError } from './database-file-errors.ts'

interface Holder {
  pid: number
  host: string
  since: string
  /** Absent until the holder listens. */
  address?: string
}

/**
 * Reserves a database file for one stand-in. Two of them would each treat the other's jobs as abandoned, and one could
 * delete the files of the other.
 *
 * The lock is an exclusive transaction on an empty SQLite file next to the database, so it is a lock of the operating
 * system: it ends with the process, even after a crash, and works between containers and within a process, unlike a
 * file with a process id. The lock file is not deleted on release, because then two processes could hold the lock.
 */
export class DatabaseLock {
  readonly #connection: Sqlite.Database
  readonly #note: string
  readonly #holder: Holder

  /** Throws a DatabaseInUseError if another stand-in holds the lock. */
  constructor(databasePath: string, now: Date) {
    const path = realPathOf(databasePath)
    // In a separate file, because reading and closing the lock file would release this process's lock on it.
    this.#note = `${path}.holder.json`
    this.#holder = { pid: process.pid, host: hostname(), since: now.toISOString() }
    const lockPath = `${path}.lock`
    this.#connection = openLock(lockPath)
    try {
      this.#connection.exec('begin exclusive')
      this.#writeNote()
    } catch (error) {
      this.#connection.close()
      if (hasCode(error, 'SQLITE_NOTADB', 'SQLITE_CORRUPT')) throw new LockFileError(lockPath, { cause: error })
      if (!hasCode(error, 'SQLITE_BUSY')) throw error
      throw new DatabaseInUseError(databasePath, formatHolder(readNote(this.#note)))
    }
  }

  /** Adds the URL of the holder to the note that others read. */
  noteAddress(address: string): void {
    this.#holder.address = address
    this.#writeNote()
  }

  release(): void {
    rmSync(this.#note, { force: true })
    this.#connection.close()
  }

  #writeNote(): void {
    writeFileSync(this.#note, `${JSON.stringify(this.#holder)}\n`)
  }
}

const hasCode = (error: unknown, ...codes: string[]) =>
  error instanceof Sqlite.SqliteError && codes.some((code) => error.code.startsWith(code))

function openLock(path: string): Sqlite.Database {
  try {
    return new Sqlite(path, { timeout: 0 })
  } catch (cause) {
    throw statSync(path, { throwIfNoEntry: false })?.isDirectory() ? new LockFileError(path, { cause }) : cause
  }
}

/** Resolves links, so that a file has one lock. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path))
    } catch {
      return resolve(path)
    }
  }
}

/** The note may be missing or incomplete for an instant; the lock holds anyway. */
function readNote(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function formatHolder(holder: Holder | undefined): string {
  if (!holder) return ''
  const { pid, host, since, address } = holder
  const where = host === hostname() ? '' : ` on ${host}`
  return ` (process ${pid}${where} since ${since}${address === undefined ? '' : `, at ${address}`})`
}
