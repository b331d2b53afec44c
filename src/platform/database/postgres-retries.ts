import { setTimeout as sleep } from 'node:timers/promises'
import { jitteredBackoff } from '../backoff.ts'
import { DatabaseUnavailableError } from './port.ts'
import {
  ConnectionLostError,
  isConflict,
  isDeadlock,
  isForeignKeyViolation,
  isOutOfMemory,
  isStalePlan,
  isUniqueViolation,
  isUnsupportedPreparation,
} from './postgres-errors.ts'
import type { RetryReason } from './postgres-metrics.ts'

export interface RetryOptions {
  /** How long a conflict with other transactions is retried. */
  conflictSeconds: number
  poolSize: number
  onRetry(reason: RetryReason): void
}

interface Retry {
  reason: RetryReason
  matches(error: unknown): boolean
  max(poolSize: number): number
  /** Whether to wait for the others, until the deadline of conflicts. */
  pauses?: boolean
}

const BACKOFF = { firstMilliseconds: 5, longestMilliseconds: 100 }

const RETRIES: readonly Retry[] = [
  // Until a deadline.
  { reason: 'conflict', matches: isConflict, max: () => Number.POSITIVE_INFINITY, pauses: true },
  { reason: 'deadlock', matches: isDeadlock, max: () => Number.POSITIVE_INFINITY, pauses: true },
  // Others may release locks, and a step of a feed is smaller when it is repeated.
  { reason: 'out_of_memory', matches: isOutOfMemory, max: () => 5, pauses: true },
  // If two transactions find no row and both insert it, PostgreSQL may report the duplicate key before the conflict. On
  // a retry, the second finds the row of the first; a real duplicate still fails.
  { reason: 'duplicate', matches: isUniqueViolation, max: () => 9 },
  // The row was found, and then deleted by a transaction that was committed first. On a retry, it is not found.
  { reason: 'deleted_reference', matches: isForeignKeyViolation, max: () => 3 },
  // Nothing was committed, so a retry is safe. Only once: if the next connection is lost too, there is an outage.
  { reason: 'lost_connection', matches: (error) => error instanceof ConnectionLostError, max: () => 1 },
  // Each such error replaces a connection; after a migration the whole pool may be older than the schema.
  { reason: 'stale_plan', matches: isStalePlan, max: (poolSize) => poolSize },
  // More than one: requests that run at the same moment fail together.
  { reason: 'unprepared', matches: isUnsupportedPreparation, max: () => 3 },
]

/** Repeats a read or a transaction that failed for a reason that may pass. */
export async function retryWhilePossible<Result>(
  attempt: () => Promise<Result>,
  { conflictSeconds, poolSize, onRetry }: RetryOptions,
): Promise<Result> {
  const givesUpAt = performance.now() + conflictSeconds * 1000
  const counts = new Map<Retry, number>()
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const retry = RETRIES.find(({ matches }) => matches(error))
      const count = retry ? (counts.get(retry) ?? 0) + 1 : 0
      if (!retry || count > retry.max(poolSize)) throw error
      counts.set(retry, count)
      if (retry.pauses) await pauseAfterConflict(count, error)
      onRetry(retry.reason)
    }
  }

  async function pauseAfterConflict(count: number, cause: unknown): Promise<void> {
    const pause = jitteredBackoff(count, BACKOFF)
    if (performance.now() + pause > givesUpAt) {
      const message = `Other transactions kept changing the same rows for ${conflictSeconds} s`
      throw new DatabaseUnavailableError(message, { cause })
    }
    await sleep(pause)
  }
}
