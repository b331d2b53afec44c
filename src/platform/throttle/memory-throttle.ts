import type { Clock } from '../clock/port.ts'
import { GRACE_MILLISECONDS, stateOfBucket, timesOf } from './bucket.ts'
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
    const { interval, capacity } = timesOf(rate)
    const fullAt = Math.max(this.#fullAt.get(key) ?? now, now) + interval
    if (fullAt - now > capacity + GRACE_MILLISECONDS) return false
    this.#set(key, fullAt, now)
    return true
  }

  stateOf(key: string, rate: Rate): QuotaState {
    return stateOfBucket(rate, this.#fullInMilliseconds(key, this.#elapsed))
  }

  fullInMilliseconds(key: string): number {
    return this.#fullInMilliseconds(key, this.#readElapsed())
  }

  #fullInMilliseconds(key: string, now: number): number {
    return Math.max((this.#fullAt.get(key) ?? now) - now, 0)
  }

  /** How much time has passed for this throttle, for `learn`. */
  get elapsedMilliseconds(): number {
    return this.#readElapsed()
  }

  /** Learns from elsewhere that a bucket was to be full after some time, counted from an elapsed time. */
  learn(key: string, fullInMilliseconds: number, since: number): void {
    this.#set(key, since + fullInMilliseconds, this.#readElapsed())
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

  #set(key: string, fullAt: number, now: number): void {
    this.#fullAt.set(key, fullAt)
    if (this.#fullAt.size > this.#maxBuckets) this.#evict(now)
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
