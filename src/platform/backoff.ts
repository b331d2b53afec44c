import { hash } from 'node:crypto'

export interface Backoff {
  /** The longest wait after the first attempt. It grows with each further attempt. */
  firstMilliseconds: number
  longestMilliseconds: number
}

const RETRY_BACKOFF: Backoff = { firstMilliseconds: 1000, longestMilliseconds: 5 * 60 * 1000 }
/** A wait is then a seventh of the time since the first failure at most, and a tenth on average. */
const RETRY_GROWTH = 1.1

const longestWait = (attempt: number, { firstMilliseconds, longestMilliseconds }: Backoff, growth = 2) =>
  Math.min(firstMilliseconds * growth ** (attempt - 1), longestMilliseconds)

/**
 * Returns the wait after an attempt, counted from 1: a random time up to the longest wait, so that callers that
 * collided do not collide again.
 */
export const jitteredBackoff = (attempt: number, backoff: Backoff): number =>
  Math.random() * longestWait(attempt, backoff)

/** Between half of a wait and all of it. The same seed gives the same wait. */
function spread(milliseconds: number, seed: string): number {
  const fraction = Number.parseInt(hash('sha256', seed, 'hex').slice(0, 8), 16) / 2 ** 32
  return Math.round(milliseconds * (0.5 + fraction / 2))
}

/**
 * Returns the wait after a failure, counted from 1: between half of the longest wait and all of it, from one second to
 * five minutes. The same seed gives the same wait. Different seeds keep workers that failed together from retrying
 * together.
 */
export const exponentialBackoff = (failures: number, seed: string): number =>
  spread(longestWait(failures, RETRY_BACKOFF, RETRY_GROWTH), seed)

/** Returns the wait before work is tried again that has failed often, and will probably fail again. */
export const longestBackoff = (seed: string): number => spread(RETRY_BACKOFF.longestMilliseconds, seed)
