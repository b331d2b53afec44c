import type { Marketplace } from '../../marketplace/accounts/marketplaces.ts'
import { MAX_VIOLATIONS, type Violation } from '../../platform/errors/api-error.ts'
import type { SeedRules } from './ports.ts'
import type { Seed } from './schema.ts'

/** What is collected while the sections of a seed are read, one after another. */
export class Reading {
  readonly seed: Seed
  readonly rules: SeedRules
  readonly now: Date
  readonly marketplaces = new Map<string, Marketplace>()
  readonly violations: Violation[] = []
  readonly #claimed = new Map<string, string>()

  constructor(seed: Seed, rules: SeedRules, now: Date) {
    this.seed = seed
    this.rules = rules
    this.now = now
  }

  /** The first reason for each place is enough. */
  refuse(path: string, reason: string): void {
    if (this.violations.length >= MAX_VIOLATIONS || this.violations.some((one) => one.path === path)) return
    this.violations.push({ path, reason })
  }

  /** Refuses the second of two things with the same key. */
  claim(kind: string, key: readonly string[], path: string, reason?: string): void {
    const id = JSON.stringify([kind, ...key])
    const first = this.#claimed.get(id)
    if (first === undefined) this.#claimed.set(id, path)
    else this.refuse(path, reason ?? `is the same as ${first}: ${key.join(' ')}`)
  }

  requireMarketplace(path: string, marketplaceId: string): Marketplace | undefined {
    const marketplace = this.marketplaces.get(marketplaceId)
    if (!marketplace) this.refuse(path, `there is no marketplace ${marketplaceId}; add it to marketplaces`)
    return marketplace
  }
}
