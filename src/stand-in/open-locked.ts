import { openDatabase } from '../composition/adapters.ts'
import { type Config, IN_MEMORY } from '../config/config.ts'
import { toDatabaseFileError } from '../platform/database/database-file-errors.ts'
import type { DatabaseLock } from '../platform/database/database-lock.ts'
import type { PostgresDeadlines } from '../platform/database/postgres-deadlines.ts'
import type { Logger } from '../platform/logging/logger.ts'

interface OpenOptions {
  now: Date
  logger: Logger
  /** What a database in memory contains at the start. */
  image: Uint8Array | undefined
  removeFiles?: () => void
}

/** Locks a database file for one stand-in at a time, before anything of it is deleted. */
export async function openLocked(config: Config['database'], { now, logger, image, removeFiles }: OpenOptions) {
  let lock: DatabaseLock | undefined
  try {
    if (config.kind === 'sqlite' && config.path !== IN_MEMORY) {
      const { DatabaseLock } = await import('../platform/database/database-lock.ts')
      const { checkDatabaseFile } = await import('../platform/database/check-database-file.ts')
      lock = new DatabaseLock(config.path, now)
      removeFiles?.()
      checkDatabaseFile(config.path)
    }
    return { lock, database: await openDatabase(config, logger, { image }) }
  } catch (error) {
    lock?.release()
    throw explainOpenError(error, config)
  }
}

export const explainOpenError = (error: unknown, config: Config['database']) =>
  config.kind === 'sqlite' ? toDatabaseFileError(error, config.path) : error

/**
 * A machine that runs tests may stand still for seconds. A job that such a pause interrupts is retried later by the clock of
 * the marketplace, which may stand still for ever.
 */
const PATIENT: PostgresDeadlines = {
  connectSeconds: 15,
  statementSeconds: 60,
  lockSeconds: 60,
  idleTransactionSeconds: 60,
  conflictSeconds: 60,
}

export function parseDatabase(database: string): Config['database'] {
  if (/^postgres(ql)?:\/\//.test(database)) return { kind: 'postgres', url: database, poolSize: 10, deadlines: PATIENT }
  return { kind: 'sqlite', path: database }
}
