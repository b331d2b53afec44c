import type { Caller } from '../../platform/auth/caller.ts'
import { rememberByCaller } from '../../platform/auth/remember-by-caller.ts'
import type { Clock } from '../../platform/clock/port.ts'

const HOUR_MILLISECONDS = 60 * 60 * 1000
/** Beyond this, requests of further callers are not counted until the next flush. */
export const MAX_ENTRIES = 50_000
/** From the half of this on, they are to be flushed: at first, and whenever there are so many more. */
const ENTRIES_PER_EARLY_FLUSH = 1_000

export interface UsageCount {
  hour: Date
  operation: string
  applicationId: string
  /** Absent for a grantless token. */
  sellerId?: string
  succeeded: number
  refused: number
  failed: number
}

/** Counts requests in memory: nothing is written while a request waits. */
export class UsageCounter {
  readonly #clock: Clock
  /** By hour, and by operation and caller. */
  #counts = new Map<number, Map<string, UsageCount>>()
  #size = 0
  #uncounted = 0
  readonly #onHalfFull: () => void

  constructor(clock: Clock, onHalfFull: () => void) {
    this.#clock = clock
    this.#onHalfFull = onHalfFull
  }

  /** Returns the function that counts the requests of an operation. */
  forOperation(operation: string): (caller: Caller, status: number) => void {
    const keyOf = rememberByCaller((caller) => toKey({ operation, ...subjectOf(caller) }))
    return (caller, status) => {
      const now = this.#clock.now().getTime()
      const hour = now - (now % HOUR_MILLISECONDS)
      const key = keyOf(caller)
      let count = this.#counts.get(hour)?.get(key)
      if (!count) {
        if (this.#size >= MAX_ENTRIES) {
          this.#uncounted++
          return
        }
        count = this.#add(hour, key, { operation, ...subjectOf(caller) })
        if (this.#size >= MAX_ENTRIES / 2 && this.#size % ENTRIES_PER_EARLY_FLUSH === 0) this.#onHalfFull()
      }
      if (status >= 500) count.failed++
      else if (status >= 400) count.refused++
      else count.succeeded++
    }
  }

  #add(hour: number, key: string, subject: Subject): UsageCount {
    this.#size++
    const count: UsageCount = { hour: new Date(hour), ...subject, succeeded: 0, refused: 0, failed: 0 }
    const ofHour = this.#counts.get(hour) ?? new Map<string, UsageCount>()
    this.#counts.set(hour, ofHour.set(key, count))
    return count
  }

  /**
   * Returns the counts and begins again. All processes have the same order, so that they do not wait for each other in
   * a circle.
   */
  take(): UsageCount[] {
    const counts = inOrder(this.#counts).flatMap(([, ofHour]) => inOrder(ofHour).map(([, count]) => count))
    this.#counts = new Map()
    this.#size = 0
    return counts
  }

  /** Returns the number of requests that were not counted since the last call. */
  takeUncounted(): number {
    const uncounted = this.#uncounted
    this.#uncounted = 0
    return uncounted
  }

  /** Adds counts that were taken and could not be written. */
  giveBack(counts: readonly UsageCount[]): void {
    for (const { hour, succeeded, refused, failed, ...subject } of counts) {
      const key = toKey(subject)
      const known = this.#counts.get(hour.getTime())?.get(key)
      if (!known && this.#size >= MAX_ENTRIES) {
        this.#uncounted += succeeded + refused + failed
        continue
      }
      const count = known ?? this.#add(hour.getTime(), key, subject)
      count.succeeded += succeeded
      count.refused += refused
      count.failed += failed
    }
  }
}

const inOrder = <Key extends string | number, Value>(map: ReadonlyMap<Key, Value>) =>
  [...map].sort(([one], [other]) => (one < other ? -1 : 1))

type Subject = Pick<UsageCount, 'operation' | 'applicationId' | 'sellerId'>

const subjectOf = (caller: Caller) => ({
  applicationId: caller.applicationId,
  ...(caller.kind === 'seller' && { sellerId: caller.sellerId }),
})

const toKey = ({ operation, applicationId, sellerId = '' }: Subject) => `${operation} ${applicationId} ${sellerId}`
