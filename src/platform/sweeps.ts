import type { Clock } from './clock/port.ts'
import type { Database } from './database/port.ts'
import type { Logger } from './logging/logger.ts'

export interface SweepContext {
  database: Database
  clock: Clock
  logger: Logger
}

/** Deletes expired data in small steps. Several processes may run the same sweep at once. */
export interface Sweep {
  name: string
  /** Returns the number of deleted rows. */
  sweep(context: Pick<SweepContext, 'database' | 'clock'>, signal: AbortSignal): Promise<number>
}

const SWEEP_INTERVAL_MILLISECONDS = 10 * 60 * 1000
/** Default maximum of rows that one step of a sweep deletes. */
export const ROWS_PER_STEP = 1000

/** Runs all sweeps periodically until the signal aborts. */
export async function runSweeps(context: SweepContext, sweeps: readonly Sweep[], signal: AbortSignal): Promise<void> {
  const { clock, logger } = context
  while (!signal.aborted) {
    for (const { name, sweep } of sweeps) {
      try {
        const swept = await sweep(context, signal)
        if (swept > 0) logger.info({ swept }, `removed ${name}`)
      } catch (err) {
        logger.warn({ err }, `cannot remove ${name}; retrying`)
      }
    }
    await clock.sleep(SWEEP_INTERVAL_MILLISECONDS, signal)
  }
}

/** Repeats a step until it deletes less than its limit. Steps are small because each blocks other writers. */
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
