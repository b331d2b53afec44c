import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailableError } from './port.ts'
import { isLockTimeout } from './postgres-errors.ts'

/**
 * A change of a table waits until the transactions that use it have ended, and every later statement on the table waits
 * behind it. So it waits briefly, lets the others pass, and tries again. PostgreSQL ends an autovacuum for a statement that
 * has waited longer than deadlock_timeout, which is a second by default.
 */
export const LIMIT_TABLE_LOCKS = 'set local lock_timeout = 2500'

const PAUSE_MILLISECONDS = 2_500
const GIVES_UP_AFTER_MINUTES = 10

/** Repeats a transaction that changes the schema while others use its tables. */
export async function retryWhileLocked<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const givesUpAt = performance.now() + GIVES_UP_AFTER_MINUTES * 60_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (performance.now() + PAUSE_MILLISECONDS > givesUpAt) {
        const message = `Transactions of other processes, or a VACUUM, kept a table in use for ${GIVES_UP_AFTER_MINUTES} minutes`
        throw new DatabaseUnavailableError(message, { cause: error })
      }
      await sleep(PAUSE_MILLISECONDS)
    }
  }
}
