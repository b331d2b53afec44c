import type { Caller } from '../../platform/auth/caller.ts'
import type { Clock } from '../../platform/clock/port.ts'

const HOUR_MILLISECONDS = 60 * 60 * 1000
/** Beyond this, requests of further callers are not counted until the next flush. */
const MAX_ENTRIES = 50_000

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
  #counts = new Map<string, UsageCount>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  count(operation: string, caller: Caller, status: number): void {
    const now = this.#clock.now().getTime()
    const hour = now - (now % HOUR_MILLISECONDS)
    const sellerId = caller.kind === 'seller' ? caller.sellerId : undefined
    const key = `${hour} ${operation} ${caller.applicationId} ${sellerId ?? ''}`
    let count = this.#counts.get(key)
    if (!count) {
      if (this.#counts.size >= MAX_ENTRIES) return
      const { applicationId } = caller
      const subject = { hour: new Date(hour), operation, applicationId, ...(sellerId !== undefined && { sellerId }) }
      count = { ...subject, succeeded: 0, refused: 0, failed: 0 }
      this.#counts.set(key, count)
    }
    if (status >= 500) count.failed++
    else if (status >= 400) count.refused++
    else count.succeeded++
  }

  /** Returns the counts and begins again. */
  take(): UsageCount[] {
    const counts = [...this.#counts.values()]
    this.#counts = new Map()
    return counts
  }

  /** Adds counts that were taken and could not be written. */
  giveBack(counts: readonly UsageCount[]): void {
    for (const { hour, operation, applicationId, sellerId, ...numbers } of counts) {
      const key = `${hour.getTime()} ${operation} ${applicationId} ${sellerId ?? ''}`
      const existing = this.#counts.get(key)
      const subject = { hour, operation, applicationId, ...(sellerId !== undefined && { sellerId }) }
      this.#counts.set(key, {
        ...subject,
        succeeded: numbers.succeeded + (existing?.succeeded ?? 0),
        refused: numbers.refused + (existing?.refused ?? 0),
        failed: numbers.failed + (existing?.failed ?? 0),
      })
    }
  }
}
