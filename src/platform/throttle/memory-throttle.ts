import type { Clock } from '../clock/port.ts'
import type { Rate, Throttle } from './port.ts'

const MOST_LOOKED_AT = 8

/**
 * Token buckets of one process, kept as the generic cell rate algorithm does: one number for each bucket, the time at
 * which it will be full again. A bucket that is full says nothing that an absent one does not, so it can be forgotten.
 */
export class MemoryThrottle implements Throttle {
  readonly #clock: Clock
  readonly #maxBuckets: number
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
    // Ten microseconds of grace: sums of floating point drift, the more the longer the interval, and must not cost a
    // caller a whole token.
    if (fullAt - now > rate.burst * interval + 0.01) return false
    this.#fullAt.set(key, fullAt)
    if (this.#fullAt.size > this.#maxBuckets) this.#forget(now)
    return true
  }

  reset(): void {
    this.#fullAt.clear()
  }

  /** Makes room by looking at the few buckets that were looked at longest ago: a full one goes, the others may stay. */
  #forget(now: number): void {
    let looked = 0
    for (const [key, fullAt] of this.#fullAt) {
      this.#fullAt.delete(key)
      if (fullAt <= now || ++looked === MOST_LOOKED_AT) return
      this.#fullAt.set(key, fullAt)
    }
  }
}
