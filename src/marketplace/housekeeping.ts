import { deleteExpiredTokens } from '../platform/auth/token-store.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { deleteExpiredCodes } from './authorizations.ts'

export interface Housekeeping {
  database: Database
  clock: Clock
  logger: Logger
}

const SWEEP_EVERY_MILLISECONDS = 10 * 60 * 1000
// An expired token is kept for a day, so that whoever still sends it hears that it expired, not that it is unknown.
const KEEP_EXPIRED_MILLISECONDS = 24 * 60 * 60 * 1000
const TOKENS_IN_ONE_GO = 1000

/** Throws away what nobody can use any more, again and again until the signal aborts. Several may run at once. */
export async function keepHouse({ database, clock, logger }: Housekeeping, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const swept = await sweep(database, clock, signal)
      if (swept > 0) logger.info({ swept }, 'expired tokens removed')
    } catch (err) {
      logger.warn({ err }, 'housekeeping failed; it will be tried again')
    }
    await clock.sleep(SWEEP_EVERY_MILLISECONDS, signal)
  }
}

export async function sweep(database: Database, clock: Clock, signal?: AbortSignal): Promise<number> {
  const now = clock.now()
  await database.transact((tx) => deleteExpiredCodes(tx, now))
  const before = new Date(now.getTime() - KEEP_EXPIRED_MILLISECONDS)
  let swept = 0
  let last: number
  do {
    // In small steps: each holds up other writers for as long as it takes.
    last = await database.transact((tx) => deleteExpiredTokens(tx, before, TOKENS_IN_ONE_GO))
    swept += last
  } while (last === TOKENS_IN_ONE_GO && !signal?.aborted)
  return swept
}
