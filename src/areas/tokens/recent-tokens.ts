import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Clock } from '../../platform/clock/port.ts'

/** A grant that is repeated within this time gets the same token again. */
const REUSE_WINDOW_MILLISECONDS = 10_000
const MAX_CACHED_TOKENS = 10_000

export interface IssuedToken {
  accessToken: string
  tokenDigest: string
  applicationId: string
  issuedAt: Date
}

/**
 * Tokens recently issued by this process. A client that repeats a request gets the same token, which costs a read
 * instead of a write and adds no row.
 */
export class RecentTokens {
  readonly #clock: Clock
  readonly #tokens = new BoundedMap<string, IssuedToken>(MAX_CACHED_TOKENS)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns the recent token of a grant. It may have been revoked, and be another application's. */
  find(grant: string): IssuedToken | undefined {
    const issued = this.#tokens.get(grant)
    if (!issued) return undefined
    const age = this.#clock.now().getTime() - issued.issuedAt.getTime()
    return age >= 0 && age < REUSE_WINDOW_MILLISECONDS ? issued : undefined
  }

  add(grant: string, token: IssuedToken): void {
    this.#tokens.set(grant, token)
  }
}
