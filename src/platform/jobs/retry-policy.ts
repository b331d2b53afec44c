import { exponentialBackoff } from '../backoff.ts'
import { UnavailableError } from '../errors/unavailable-error.ts'

/** What has gone wrong with a job so far, since it last got on. */
export interface JobHistory {
  /** Its handler threw. */
  failures: number
  /** Its lease ran out: the worker crashed, perhaps because of the job. */
  crashes: number
  /** A dependency was unavailable. The job is not the cause. */
  outageRetries: number
  outageBeganAt: Date | undefined
}

export const NO_FAILURES: JobHistory = { failures: 0, crashes: 0, outageRetries: 0, outageBeganAt: undefined }

/** Why a job was given up: its handler failed too often, it crashed too many workers, or an outage lasted too long. */
export const GIVE_UP_REASONS = ['FAILURES', 'CRASHES', 'OUTAGE'] as const
export type GiveUpReason = (typeof GIVE_UP_REASONS)[number]

export type RetryDecision =
  | { giveUp: GiveUpReason; history: JobHistory }
  | { giveUp: undefined; backoffMilliseconds: number; history: JobHistory }

const MAX_FAILURES = 6
// Deploys and machines that are killed count as crashes too, so there may be many.
const MAX_CRASHES = 20
const FIRST_PAUSE_MILLISECONDS = 1_000

/** A job that crashes every worker must end as well, so it is not even begun again. */
export const hasCrashedTooOften = ({ crashes }: JobHistory) => crashes >= MAX_CRASHES

export class CrashedTooOftenError extends Error {
  constructor(crashes: number) {
    super(`Its worker crashed ${crashes} times`)
    this.name = 'CrashedTooOftenError'
  }
}

/** What becomes of a job after an error: real failures soon end it, an outage only when it outlasts the limit. */
export function decideRetry(
  history: JobHistory,
  error: unknown,
  { now, outageLimitMilliseconds, seed }: { now: Date; outageLimitMilliseconds: number; seed: string },
): RetryDecision {
  if (error instanceof CrashedTooOftenError) return { giveUp: 'CRASHES', history }
  if (error instanceof UnavailableError) {
    const outageBeganAt = history.outageBeganAt ?? now
    const outageRetries = history.outageRetries + 1
    const waiting = { ...history, outageBeganAt, outageRetries }
    if (now.getTime() - outageBeganAt.getTime() >= outageLimitMilliseconds)
      return { giveUp: 'OUTAGE', history: waiting }
    return { giveUp: undefined, backoffMilliseconds: exponentialBackoff(outageRetries, seed), history: waiting }
  }
  const failures = history.failures + 1
  // It got as far as to fail by itself, so the outage is over.
  const failed = { ...history, failures, outageRetries: 0, outageBeganAt: undefined }
  if (failures >= MAX_FAILURES) return { giveUp: 'FAILURES', history: failed }
  return { giveUp: undefined, backoffMilliseconds: FIRST_PAUSE_MILLISECONDS * 2 ** (failures - 1), history: failed }
}
