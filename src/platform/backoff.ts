export interface Backoff {
  /** The longest pause after the first attempt; it doubles with each further one. */
  firstMilliseconds: number
  longestMilliseconds: number
}

/**
 * How long to wait after an attempt, counted from 1, before the next. Anything from nothing up to the full pause, so
 * that callers who collided once do not collide again at the same moment.
 */
export function jitteredBackoff(attempt: number, { firstMilliseconds, longestMilliseconds }: Backoff): number {
  return Math.random() * Math.min(firstMilliseconds * 2 ** (attempt - 1), longestMilliseconds)
}
