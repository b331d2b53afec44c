import Sqlite from 'better-sqlite3'
import { DatabaseUnavailableError } from './port.ts'

const isOf = (error: unknown, code: string) => error instanceof Sqlite.SqliteError && error.code.startsWith(code)
export const isBusy = (error: unknown) => isOf(error, 'SQLITE_BUSY')

const OUTAGES = {
  SQLITE_BUSY: 'The database is locked by another process',
  SQLITE_FULL: 'The disk is full',
  SQLITE_READONLY: 'The database file is not writable',
  SQLITE_IOERR: 'The database file cannot be read or written',
  SQLITE_CANTOPEN: 'The database file or one of its temporary files cannot be opened',
  SQLITE_PROTOCOL: 'The database is locked by another process',
}

export function toUnavailableError(cause: unknown): unknown {
  const outage = Object.entries(OUTAGES).find(([code]) => isOf(cause, code))
  return outage ? new DatabaseUnavailableError(outage[1], { cause }) : cause
}
