import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

const CACHED_IN_MEMORY_KILOBYTES = 256
const CACHED_OF_FILE_KILOBYTES = 1024

/** Opens a copy of an image in memory. It is gone when it is closed. */
export const openInMemory = (image: Buffer): Sqlite.Database => prepareCopy(new Sqlite(image))

/**
 * The same in a file where that is possible, because a process may have 200 copies: in memory, each would take as much
 * as the image.
 */
export const openInFile = (image: Buffer): Sqlite.Database => prepareCopy(openUnnamed(image) ?? new Sqlite(image))

function prepareCopy(sqlite: Sqlite.Database): Sqlite.Database {
  // No other connection exists, and nothing is to be recovered after a crash.
  sqlite.pragma('locking_mode = exclusive')
  sqlite.pragma('journal_mode = memory')
  sqlite.pragma('synchronous = off')
  sqlite.pragma('foreign_keys = on')
  // The pages of a copy in memory are there already.
  sqlite.pragma(`cache_size = ${-(sqlite.memory ? CACHED_IN_MEMORY_KILOBYTES : CACHED_OF_FILE_KILOBYTES)}`)
  return sqlite
}

/**
 * In a file that is deleted while it is open, so that it is gone also after a crash. Undefined where that is not
 * possible.
 */
function openUnnamed(image: Buffer): Sqlite.Database | undefined {
  // Files that are open cannot be deleted there.
  if (process.platform === 'win32') return undefined
  let folder: string | undefined
  let sqlite: Sqlite.Database | undefined
  try {
    folder = mkdtempSync(join(tmpdir(), 'souk-fork-'))
    const path = join(folder, 'souk.db')
    writeFileSync(path, image, { mode: 0o600 })
    sqlite = new Sqlite(path)
    // Opens the file, which would otherwise happen with the first statement.
    sqlite.pragma('schema_version')
    rmSync(folder, { recursive: true })
    return sqlite
  } catch {
    // The folder is full or read-only, or of a system that keeps files that are open.
    sqlite?.close()
    removeQuietly(folder)
    return undefined
  }
}

function removeQuietly(folder: string | undefined): void {
  try {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  } catch {
    // It is a temporary folder.
  }
}
