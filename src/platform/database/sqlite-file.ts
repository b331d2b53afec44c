import Sqlite from 'better-sqlite3'

export const BUSY_TIMEOUT_MILLISECONDS = 5_000
const CHECKPOINT_PAGES = 8_000
const WRITER_CACHE_KILOBYTES = 16 * 1024
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
    // Pages that changed since the last checkpoint are in the log, not in the mapped file. A feed would read them again and again.
    sqlite.pragma(`cache_size = ${-WRITER_CACHE_KILOBYTES}`)
    sqlite.pragma('busy_timeout = 0') // see retryWhileLocked
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

/** To be called for the content of a file that was checked before and has not changed. */
export const trustImage = (image: Uint8Array): void => void intact.add(image)

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
  trustImage(image)
}

export const bufferOf = (image: Uint8Array): Buffer => Buffer.from(image.buffer, image.byteOffset, image.length)

const ALL_PAGES = 2 ** 31 - 1

/**
 * Replaces the content of a database file, in one transaction: a crash leaves the old content or the new one, and
 * connections, also those of other programs, stay open. The next commit syncs it: a power failure before may leave the
 * old content.
 */
export async function copyIntoFile(image: Uint8Array, path: string): Promise<void> {
  const source = new Sqlite(bufferOf(image))
  try {
    const { totalPages } = await source.backup(path, { progress: () => ALL_PAGES })
    // It resolves without pages if another program writes.
    if (totalPages === 0) throw new Sqlite.SqliteError('database is locked', 'SQLITE_BUSY')
  } finally {
    source.close()
  }
}
