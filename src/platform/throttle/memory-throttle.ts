import type { Clock } from '../clock/port.ts'
import type { Rate, Throttle } from './port.ts'

/**
 * Token buckets of one process, kept as the generic cell rate algorithm does: one number for each bucket, the time at
 * which it will be full again. A bucket that is full says nothing that an absent one does not, so it can be forgotten.
 */
export class MemoryThrottle implements Throttle {
  readonly #clock: Clock
  readonly #maxBuckets: number
  // In order of last use: a bucket moves to the end whenever it is taken from.
  readonly #fullAt = new Map<string, number>()

  constructor(clock: Clock, maxBuckets = 100_000) {
    this.#clock = clock
    this.#maxBuckets = maxBuckets
  }

  get size(): number {
    return this.#fullAt.size
  }

  take(key: string, rate: Rate): boolean {
    const now = this.#clock.now().getTime()
    const interval = 1000 / rate.perSecond
    const fullAt = Math.max(this.#fullAt.get(key) ?? now, now) + interval
    // Half a microsecond of grace: the sums above are floating point and must not cost a caller a whole token.
    if (fullAt - now > rate.burst * interval + 0.0005) return false
    this.#fullAt.delete(key)
    this.#fullAt.set(key, fullAt)
    if (this.#fullAt.size > this.#maxBuckets) this.#forget(now)
    return true
  }

  reset(): void {
    this.#fullAt.clear()
  }

  /** Drops a few buckets at the old end: the full ones it meets, and one that is not when none of them was. */
  #forget(now: number): void {
    let looked = 0
    for (const [key, fullAt] of this.#fullAt) {
      if (fullAt <= now || this.#fullAt.size > this.#maxBuckets) this.#fullAt.delete(key)
      if (++looked === 8) return
    }
  }
}
