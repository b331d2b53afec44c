import { ConfigError } from '../config/config.ts'
import { DatabaseTooNewError, DatabaseTooOldError } from '../platform/database/migrate.ts'
import { DatabaseUnavailableError, DatabaseUrlError } from '../platform/database/port.ts'

/** Something in the surroundings that the user can put right. Its message is one sentence that says how. */
export class UserError extends Error {}

const USER_ERRORS = [UserError, ConfigError, DatabaseTooNewError, DatabaseTooOldError]

/** One sentence for what the user can mend; the whole stack for what only we can. */
export function formatError(error: unknown): string {
  if (error instanceof DatabaseUnavailableError) return `The database cannot be used: ${error.message}.`
  const expected = USER_ERRORS.some((kind) => error instanceof kind)
  if (error instanceof Error) return expected ? error.message : (error.stack ?? error.message)
  return String(error)
}

/** For the commands that find their database by a variable: rethrows, and names it where the database is at fault. */
export function rethrowWithDatabaseSetting(error: unknown): never {
  if (error instanceof DatabaseUrlError) {
    throw new UserError(`SOUK_DATABASE_URL is not an address that can be used: ${error.message}.`)
  }
  if (error instanceof DatabaseUnavailableError) {
    throw new UserError(`The database of SOUK_DATABASE_URL cannot be used: ${error.message}.`)
  }
  throw error
}

/** Puts into words why a port could not be had. */
export function explainListenError(error: unknown, host: string, port: number, howToChange: string): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE') {
    return new UserError(
      `Port ${port} on ${host} is in use: stop the program that has it, or choose another ${howToChange}.`,
    )
  }
  if (code === 'EACCES')
    return new UserError(`Port ${port} on ${host} is not allowed to you: choose another ${howToChange}.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new UserError(`${host} is not an address of this machine.`)
  return error
}
