import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { syncFolder, writeDurably } from '../durable-files.ts'
import { DatabaseUnavailableError } from './port.ts'

export const BUSY_TIMEOUT_MILLISECONDS = 5_000
const CHECKPOINT_PAGES = 8_000
const CACHED_IMAGE_KILOBYTES = 256

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
  // The pages of an image are in memory already. A fork under load would keep 2 MB of them twice.
  if (typeof path !== 'string') sqlite.pragma(`cache_size = ${-CACHED_IMAGE_KILOBYTES}`)
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

const MAGIC = Buffer.from('SQLite format 3\0')

/** These bytes are not those of an intact database file. */
export class InvalidImageError extends Error {
  override name = 'InvalidImageError'
}

// A check takes milliseconds, and images do not change.
const intact = new WeakSet<Uint8Array>()

/** Throws unless these are the bytes of an intact database file. Each image is checked once. */
export function requireImage(image: Uint8Array): void {
  if (intact.has(image)) return
  if (!MAGIC.equals(image.subarray(0, MAGIC.length))) throw new InvalidImageError('This is not an image of a database')
  try {
    const sqlite = new Sqlite(bufferOf(image))
    try {
      const [finding] = sqlite.prepare('pragma quick_check(1)').pluck().all()
      if (finding !== 'ok') throw new Error(String(finding))
    } finally {
      sqlite.close()
    }
  } catch (cause) {
    throw new InvalidImageError('This image of a database is damaged', { cause })
  }
  intact.add(image)
}

export const bufferOf = (image: Uint8Array): Buffer => Buffer.from(image.buffer, image.byteOffset, image.length)

const nextPath = (path: string) => `${path}.next`

/** Writes the content that is to replace a database file, so that a full disk is found before the file is closed. */
export function writeNextFile(path: string, content: Uint8Array): void {
  try {
    writeDurably(nextPath(path), content)
  } catch (cause) {
    discardNextFile(path)
    throw new DatabaseUnavailableError('The database file cannot be replaced', { cause })
  }
}

/**
 * Replaces a closed database file by a rename, so that a crash leaves the old file or the new one. Returns false if
 * another program has the file open: the last connection that is closed deletes the log, and SQLite would apply an old
 * log to the new file.
 */
export function useNextFile(path: string): boolean {
  if (existsSync(`${path}-wal`)) return false
  try {
    renameSync(nextPath(path), path)
  } catch (cause) {
    discardNextFile(path)
    throw new DatabaseUnavailableError('The database file cannot be replaced', { cause })
  }
  try {
    syncFolder(dirname(path))
  } catch {
    // The file is replaced. On a disk that fails, the next commit reports it.
  }
  return true
}

/** Replaces all rows in one transaction. Takes several times as long as another file. */
export function copyNextFile(sqlite: Sqlite.Database, path: string): void {
  sqlite.prepare('attach ? as next').run(nextPath(path))
  try {
    const tables = sqlite
      .prepare("select name from main.sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .pluck()
      .all() as string[]
    sqlite.transaction(() => {
      // Tables are written in any order, because references are checked at commit.
      sqlite.pragma('defer_foreign_keys = on')
      for (const table of tables) sqlite.exec(`delete from main."${table}"`)
      for (const table of tables) sqlite.exec(`insert into main."${table}" select * from next."${table}"`)
    })()
  } finally {
    sqlite.exec('detach next')
    discardNextFile(path)
  }
}

/** Never throws, because the caller needs the first error. */
function discardNextFile(path: string): void {
  try {
    rmSync(nextPath(path), { force: true })
  } catch {
    // The next image overwrites it.
  }
}
