import { ConfigError } from '../config/config.ts'
import { DatabaseTooNewError, DatabaseTooOldError } from '../platform/database/migrate.ts'
import { DatabaseUnavailableError, DatabaseUrlError, ReplicaUrlError } from '../platform/database/port.ts'

/** An error that the user can fix. Its message is one sentence that says how. */
export class UserError extends Error {}

const USER_ERRORS = [UserError, ConfigError, DatabaseTooNewError, DatabaseTooOldError]

/** One sentence for what the user can mend; the whole stack for what only we can. */
export function formatError(error: unknown): string {
  if (error instanceof DatabaseUnavailableError) return `Cannot use the database: ${error.message}.`
  const expected = USER_ERRORS.some((kind) => error instanceof kind)
  if (error instanceof Error) return expected ? error.message : (error.stack ?? error.message)
  return String(error)
}

/** Rethrows the error of a command that reads SOUK_DATABASE_URL, and names the variable if the database is the cause. */
export function rethrowWithDatabaseSetting(error: unknown): never {
  if (error instanceof DatabaseUrlError) {
    const name = error instanceof ReplicaUrlError ? 'SOUK_DATABASE_REPLICA_URL' : 'SOUK_DATABASE_URL'
    throw new UserError(`${name} is not a valid URL: ${error.message}.`)
  }
  if (error instanceof DatabaseUnavailableError) {
    throw new UserError(`Cannot use the database in SOUK_DATABASE_URL: ${error.message}.`)
  }
  throw error
}

/** Explains why a port is not available. */
export function explainListenError(error: unknown, host: string, port: number, howToChange: string): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE') {
    return new UserError(
      `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port ${howToChange}.`,
    )
  }
  if (code === 'EACCES')
    return new UserError(
      `Port ${port} on ${host} requires privileges you do not have. Choose another port ${howToChange}.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new UserError(`${host} is not an address of this machine.`)
  return error
}
