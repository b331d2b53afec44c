import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { DatabaseFileError } from './database-file-errors.ts'

// Reading more than this would be felt at every start; damage is then met by the first request that reads it.
const LARGEST_CHECKED_BYTES = 64 * 1024 * 1024

/** Throws a DatabaseFileError when a file is there and is damaged, so that this is said at once and not by a request. */
export function checkDatabaseFile(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0 || size > LARGEST_CHECKED_BYTES) return
  const sqlite = new Sqlite(path)
  try {
    const [finding] = sqlite.prepare('pragma quick_check(1)').pluck().all()
    if (finding !== 'ok') throw new DatabaseFileError(path, 'SQLITE_CORRUPT', 'is damaged')
  } finally {
    sqlite.close()
  }
}
