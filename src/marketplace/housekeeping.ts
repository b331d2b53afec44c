import { deleteExpiredTokens } from '../platform/auth/token-store.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import { deleteGivenUpBefore } from '../platform/jobs/given-up-store.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { deleteEventsBefore } from '../platform/outbox/outbox.ts'
import { deleteExpiredCodes } from './accounts/authorizations.ts'

export interface SweepContext {
  database: Database
  clock: Clock
  logger: Logger
}

/** Something that is thrown away when its time is over. It may be done by several at once, and in small steps. */
export interface Sweep {
  name: string
  /** Answers how many were thrown away. */
  sweep(context: Pick<SweepContext, 'database' | 'clock'>, signal: AbortSignal): Promise<number>
}

const SWEEP_INTERVAL_MILLISECONDS = 10 * 60 * 1000
// An expired token is kept for a day, so that whoever still sends it hears that it expired, not that it is unknown.
const KEEP_EXPIRED_MILLISECONDS = 24 * 60 * 60 * 1000
const KEEP_EVENTS_MILLISECONDS = 14 * 24 * 60 * 60 * 1000
const KEEP_GIVEN_UP_JOBS_MILLISECONDS = 30 * 24 * 60 * 60 * 1000
/** How many rows one step of a sweep removes at most. */
export const ROWS_PER_STEP = 1000

/** Throws away what nobody can use any more, again and again until the signal aborts. Several may run at once. */
export async function runSweeps(context: SweepContext, sweeps: readonly Sweep[], signal: AbortSignal): Promise<void> {
  const { clock, logger } = context
  while (!signal.aborted) {
    for (const { name: what, sweep } of sweeps) {
      try {
        const swept = await sweep(context, signal)
        if (swept > 0) logger.info({ swept }, `${what} removed`)
      } catch (err) {
        logger.warn({ err }, `${what} could not be removed; it will be tried again`)
      }
    }
    await clock.sleep(SWEEP_INTERVAL_MILLISECONDS, signal)
  }
}

export const expiredTokenSweep: Sweep = {
  name: 'expired tokens',
  async sweep({ database, clock }, signal) {
    const now = clock.now()
    await database.transact((tx) => deleteExpiredCodes(tx, now))
    const before = new Date(now.getTime() - KEEP_EXPIRED_MILLISECONDS)
    return inSteps(signal, ROWS_PER_STEP, (limit) => database.transact((tx) => deleteExpiredTokens(tx, before, limit)))
  },
}

/** What nobody was told in two weeks is told to nobody. */
export const oldEventSweep: Sweep = {
  name: 'old events',
  sweep({ database, clock }, signal) {
    const before = new Date(clock.now().getTime() - KEEP_EVENTS_MILLISECONDS)
    return inSteps(signal, ROWS_PER_STEP, (limit) => database.transact((tx) => deleteEventsBefore(tx, before, limit)))
  },
}

/** An operator has a month to run them again. */
export const oldGivenUpJobSweep: Sweep = {
  name: 'old jobs that were given up',
  sweep({ database, clock }, signal) {
    const before = new Date(clock.now().getTime() - KEEP_GIVEN_UP_JOBS_MILLISECONDS)
    return inSteps(signal, ROWS_PER_STEP, (limit) => database.transact((tx) => deleteGivenUpBefore(tx, before, limit)))
  },
}

/** In small steps: each holds up other writers for as long as it takes. */
export async function inSteps(
  signal: AbortSignal,
  limit: number,
  step: (limit: number) => Promise<number>,
): Promise<number> {
  let swept = 0
  let last: number
  do {
    last = await step(limit)
    swept += last
  } while (last === limit && !signal.aborted)
  return swept
}
