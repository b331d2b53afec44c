/**
 * No clock can be moved beyond this. Times are stored as text that sorts, with years of four digits, and some of them lie
 * years ahead of the clock.
 */
export const LATEST_TIME = new Date('9900-01-01T00:00:00.000Z')

/** Throws a RangeError when a clock would show no time, or one that is too late. */
export function requireValidTime(milliseconds: number): number {
  if (milliseconds <= LATEST_TIME.getTime()) return milliseconds
  throw new RangeError(`The clock cannot be moved beyond ${LATEST_TIME.toISOString()}`)
}

/** The only source of time. Tokens, quotas, windows and schedules all follow it, so moving it moves everything. */
export interface Clock {
  now(): Date
  /** Resolves after that much of this clock's time has passed, or at once when the signal aborts. Never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** A clock that can be moved by hand: what `souk dev` and the tests run on. */
export interface VirtualClock extends Clock {
  /** Throws a RangeError, and does nothing, where that would be beyond LATEST_TIME. */
  advance(milliseconds: number): void
  /** Moves to a time, forward or back. Throws like `advance`. */
  set(time: Date): void
  /** Stands still until it is moved, set or unfrozen. */
  freeze(): void
  /** Continues from the time that it shows. */
  unfreeze(): void
  readonly isFrozen: boolean
  /** Back to the time that it would show had it never been moved. */
  reset(): void
  /** How far it is ahead of the clock that it would be, had it never been moved. */
  readonly offsetMilliseconds: number
  /** Calls back after each move or reset. Returns a function that unsubscribes. */
  onMove(listener: () => void): () => void
}
