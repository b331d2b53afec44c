import type { Clock } from '../clock/port.ts'
import type { QuotaState, Rate, Throttle } from './port.ts'

const MAX_EVICTION_CANDIDATES = 8

/**
 * Token buckets of one process, kept as the generic cell rate algorithm does: one number for each bucket, the time at
 * which it will be full again. A bucket that is full says nothing that an absent one does not, so it can be forgotten.
 */
export class MemoryThrottle implements Throttle {
  readonly #clock: Clock
  readonly #maxBuckets: number
  readonly #fullAt = new Map<string, number>()
  #elapsed = 0
  #lastSeen: number

  constructor(clock: Clock, maxBuckets = 100_000) {
    this.#clock = clock
    this.#maxBuckets = maxBuckets
    this.#lastSeen = clock.now().getTime()
  }

  get size(): number {
    return this.#fullAt.size
  }

  take(key: string, rate: Rate): boolean {
    const now = this.#readElapsed()
    const interval = 1000 / rate.perSecond
    const fullAt = Math.max(this.#fullAt.get(key) ?? now, now) + interval
    // Ten microseconds of grace: sums of floating point drift, the more the longer the interval, and must not cost a
    // caller a whole token.
    if (fullAt - now > rate.burst * interval + 0.01) return false
    this.#fullAt.set(key, fullAt)
    if (this.#fullAt.size > this.#maxBuckets) this.#evict(now)
    return true
  }

  stateOf(key: string, rate: Rate): QuotaState {
    const now = this.#readElapsed()
    const interval = 1000 / rate.perSecond
    const left = rate.burst - Math.max((this.#fullAt.get(key) ?? now) - now, 0) / interval
    return { perSecond: rate.perSecond, burst: rate.burst, left, nextInMilliseconds: Math.max(1 - left, 0) * interval }
  }

  reset(): void {
    this.#fullAt.clear()
  }

  /** The milliseconds until each bucket in use is full again. */
  save(): Record<string, number> {
    const now = this.#readElapsed()
    return Object.fromEntries(
      [...this.#fullAt].filter(([, fullAt]) => fullAt > now).map(([key, fullAt]) => [key, fullAt - now]),
    )
  }

  /** Replaces all buckets by those that `save` returned. */
  load(buckets: Record<string, number>): void {
    this.reset()
    const now = this.#readElapsed()
    for (const [key, milliseconds] of Object.entries(buckets)) this.#fullAt.set(key, now + milliseconds)
  }

  /**
   * How much time has passed, in milliseconds. A clock that is set back would otherwise leave every bucket in use
   * waiting until the old time comes round again: a step back counts as no time at all.
   */
  #readElapsed(): number {
    const now = this.#clock.now().getTime()
    if (now > this.#lastSeen) this.#elapsed += now - this.#lastSeen
    this.#lastSeen = now
    return this.#elapsed
  }

  /** Makes room by looking at the few buckets that were looked at longest ago: a full one goes, the others may stay. */
  #evict(now: number): void {
    let looked = 0
    for (const [key, fullAt] of this.#fullAt) {
      this.#fullAt.delete(key)
      if (fullAt <= now || ++looked === MAX_EVICTION_CANDIDATES) return
      this.#fullAt.set(key, fullAt)
    }
  }
}
