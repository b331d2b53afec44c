import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

export const BUSY_TIMEOUT_MILLISECONDS = 5_000
const CHECKPOINT_PAGES = 8_000

/** Opens a file, a new database in memory (`:memory:`), or a copy of an image in memory. */
export function openSqlite(
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

// Offsets in the header of a database file, and the version without a write-ahead log.
const WRITE_VERSION = 18
const READ_VERSION = 19
const ROLLBACK_JOURNAL = 1

/** Marks an image so that it can be opened in memory, where there is no write-ahead log. */
export function withoutLog(image: Buffer): Buffer {
  image[WRITE_VERSION] = ROLLBACK_JOURNAL
  image[READ_VERSION] = ROLLBACK_JOURNAL
  return image
}

/** By a rename, so that a crash leaves the old file or the new one. The log was deleted when the database was closed. */
export function replaceFile(path: string, content: Uint8Array): void {
  const next = `${path}.next`
  const file = openSync(next, 'w')
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(next, path)
}

const MAGIC = Buffer.from('SQLite format 3\0')

/** Throws unless these can be the bytes of a database file. */
export function requireImage(image: Uint8Array): void {
  if (!MAGIC.equals(image.subarray(0, MAGIC.length))) throw new Error('This is not an image of a database')
}
