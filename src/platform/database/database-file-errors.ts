/** The database file is in use, by this process or by another. */
export class DatabaseInUseError extends Error {
  /** The process that has the file open, as text for a message; empty if unknown. */
  readonly holder: string

  constructor(path: string, holder: string) {
    super(`Another souk process is using ${path}${holder}. Stop it first, or use another file.`)
    this.name = 'DatabaseInUseError'
    this.holder = holder
  }
}

/** The lock file of a database is not a lock file. */
export class LockFileError extends Error {
  constructor(path: string, options?: ErrorOptions) {
    super(`The lock file ${path} is not usable. Delete it while no souk process is using this data.`, options)
    this.name = 'LockFileError'
  }
}

/** The SQLite error codes that concern the file and not a statement, with their reasons. */
const FAILURES: readonly [code: string, reason: string][] = [
  ['SQLITE_NOTADB', 'is not a Souk database'],
  ['SQLITE_CORRUPT', 'is damaged'],
  ['SQLITE_FULL', 'is not writable: the disk is full'],
  ['SQLITE_READONLY', 'is not writable'],
  ['SQLITE_CANTOPEN', 'cannot be opened'],
  ['SQLITE_PERM', 'cannot be opened'],
  ['SQLITE_IOERR', 'cannot be read or written'],
  ['SQLITE_BUSY', 'is locked by another program'],
]

/** A database file is not usable. The message names the file and the reason. */
export class DatabaseFileError extends Error {
  /** The SQLite error code. */
  readonly code: string

  constructor(path: string, code: string, reason: string, options?: ErrorOptions) {
    super(`The database ${path} ${reason} (${code}).`, options)
    this.name = 'DatabaseFileError'
    this.code = code
  }
}

/** Converts an SQLite error that concerns the file; returns any other error unchanged. */
export function toDatabaseFileError(error: unknown, path: string): unknown {
  if (error instanceof LockFileError) return error
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException
    const failure = FAILURES.find(([known]) => code?.startsWith(known))
    if (failure) return new DatabaseFileError(path, code as string, failure[1], { cause: error })
  }
  return error
}
