/** The database file is in use, by this process or by another. */
export class DatabaseInUseError extends Error {
  /** Who, as far as is known, in words. */
  readonly holder: string

  constructor(path: string, holder: string) {
    super(`Another souk uses ${path}${holder}: stop it first, or use another file.`)
    this.name = 'DatabaseInUseError'
    this.holder = holder
  }
}

/** The file that serves as the lock of a database is something else. */
export class LockFileError extends Error {
  constructor(path: string, options?: ErrorOptions) {
    super(`The lock file ${path} cannot be used: delete it while no souk runs on this data.`, options)
    this.name = 'LockFileError'
  }
}

/** What is wrong with a database file, for the codes of SQLite that are about the file and not about a statement. */
const FAILURES: readonly [code: string, reason: string][] = [
  ['SQLITE_NOTADB', 'is not a database of souk'],
  ['SQLITE_CORRUPT', 'is damaged'],
  ['SQLITE_FULL', 'cannot be written: the disk is full'],
  ['SQLITE_READONLY', 'cannot be written'],
  ['SQLITE_CANTOPEN', 'cannot be opened'],
  ['SQLITE_PERM', 'cannot be opened'],
  ['SQLITE_IOERR', 'cannot be read or written'],
  ['SQLITE_BUSY', 'is kept locked by another program'],
]

/** A database file that cannot be used. The message says which and why. */
export class DatabaseFileError extends Error {
  /** SQLite's own code. */
  readonly code: string

  constructor(path: string, code: string, reason: string, options?: ErrorOptions) {
    super(`The database ${path} ${reason} (${code}).`, options)
    this.name = 'DatabaseFileError'
    this.code = code
  }
}

/** The same error in words that name the file, where it is about the file; any other error as it is. */
export function toDatabaseFileError(error: unknown, path: string): unknown {
  if (error instanceof LockFileError) return error
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException
    const failure = FAILURES.find(([known]) => code?.startsWith(known))
    if (failure) return new DatabaseFileError(path, code as string, failure[1], { cause: error })
  }
  return error
}
