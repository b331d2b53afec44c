import Sqlite from 'better-sqlite3'

export const BUSY_TIMEOUT_MILLISECONDS = 5_000
const CHECKPOINT_PAGES = 8_000
const WRITER_CACHE_KILOBYTES = 16 * 1024

/** Opens a file, or a new database in memory (`:memory:`). */
export function openSqlite(
  path: string,
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
    // Pages that changed since the last checkpoint are in the log, not in the mapped file. A feed would read them again
    // and again.
    sqlite.pragma(`cache_size = ${-WRITER_CACHE_KILOBYTES}`)
    sqlite.pragma('busy_timeout = 0') // see retryWhileLocked
  }
  sqlite.pragma(`mmap_size = ${mappedBytes}`)
  return sqlite
}
