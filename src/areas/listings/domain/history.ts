import { RETENTION_DAYS } from '../../../marketplace/market/index.ts'
import type { ListingKey } from './listing.ts'

/** How many changes of a listing can be read, the newest ones. A plot of more shows no more. */
export const MAX_CHANGES = 500

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
const CHANGES_PER_TRIM = 50

/** The time from which on the history of a listing is kept: as long as the featured prices of products. */
export const oldestChange = (now: Date): Date => new Date(now.getTime() - RETENTION_DAYS * DAY_MILLISECONDS)

/**
 * Whether changes that can no longer be read are deleted with this one. To find them, 500 rows are read, so it is done with
 * one of 50 changes. A hash chooses it: clients change prices at regular times.
 */
export function isTrimmedWith({ sellerId, sku, marketplaceId }: ListingKey, changedAt: string): boolean {
  return hashOf(`${sellerId} ${sku} ${marketplaceId} ${changedAt}`) % CHANGES_PER_TRIM === 0
}

/** FNV-1a: spreads well enough, and a cryptographic hash took a fortieth of the time of a patch. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
