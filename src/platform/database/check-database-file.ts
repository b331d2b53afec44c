import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { DatabaseFileError } from './database-file-errors.ts'

// About 10 ms. Damage inside a larger file is found by the first request that reads it.
const MAX_CHECKED_BYTES = 4 * 1024 * 1024

/** Throws when a file is there and is damaged, so that the command says it and not a request. */
export function checkDatabaseFile(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return
  const sqlite = new Sqlite(path)
  try {
    // Reading anything compares the size with the one that the header states, so a file that was cut off fails here.
    sqlite.pragma('schema_version')
    if (size > MAX_CHECKED_BYTES) return
    const [finding] = sqlite.prepare('pragma quick_check(1)').pluck().all()
    if (finding !== 'ok') throw new DatabaseFileError(path, 'SQLITE_CORRUPT', 'is damaged')
  } finally {
    sqlite.close()
  }
}
