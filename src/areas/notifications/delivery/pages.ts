import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { deleteBundles, findBundles, readBundles } from './bundle-store.ts'
import { type DestinationClaim, extendDestinationLease } from './destination-lease-store.ts'
import { type DueDelivery, findDueDeliveries } from './due-deliveries.ts'
import { insertDeliveries } from './new-deliveries.ts'
import type { RecentPayloads } from './recent-payloads.ts'

interface PageDependencies {
  database: Database
  clock: Clock
  leaseSeconds: number
  recentPayloads: RecentPayloads
}

/** What a relay sends to a destination before it records how that went. */
export interface Page {
  /** Deliveries that are stored one by one. They come first. */
  stored: DueDelivery[]
  bundles: readonly number[]
  bundled: DueDelivery[]
}

const DELIVERIES_PER_PAGE = 500
// There may be many failing destinations, each with a long backlog.
const DELIVERIES_OF_FAILING = 10

/**
 * Finds the oldest due deliveries. Those of a subscription that are stored one by one were written before the bundles,
 * so both can be in a page, and a steady flow of the ones does not delay the others.
 */
export function findPage(
  { database, clock, recentPayloads: recent }: PageDependencies,
  claim: DestinationClaim,
): Promise<Page> {
  const isFailing = claim.failures > 0
  const limit = isFailing ? DELIVERIES_OF_FAILING : DELIVERIES_PER_PAGE
  return database.read(async (reader) => {
    // Before the others, to see all that were written before the bundles: statements do not share a snapshot.
    const bundles = isFailing || database.dialect === 'sqlite' ? [] : await findBundles(reader, claim, limit)
    const stored = await findDueDeliveries(reader, claim, { now: clock.now(), limit, recent })
    if (bundles.length === 0 || stored.length === limit) return { stored, bundles: [], bundled: [] }
    const bundled = await readBundles(reader, claim, bundles, recent)
    return { stored, bundles: bundles.map(({ bundle_number }) => bundle_number), bundled }
  })
}

/**
 * Stores the bundled deliveries of a destination that fails one by one. They come before those that were stored one by
 * one because it fails, so it counts as failing until no bundle is left. Returns false if the lease was lost.
 */
export async function unbundle(
  { database, clock, leaseSeconds, recentPayloads: recent }: PageDependencies,
  claim: DestinationClaim,
  lease: string,
): Promise<boolean> {
  if (database.dialect === 'sqlite') return true
  for (;;) {
    const bundles = await database.read((reader) => findBundles(reader, claim, DELIVERIES_PER_PAGE))
    if (bundles.length === 0) return true
    const deliveries = await database.read((reader) => readBundles(reader, claim, bundles, recent))
    const isHeld = await database.transact(
      async (tx) => {
        const leaseEnds = new Date(clock.now().getTime() + leaseSeconds * 1000)
        if (!(await extendDestinationLease(tx, claim, lease, { leaseEnds, failures: claim.failures }))) return false
        await deleteBundles(
          tx,
          claim,
          bundles.map(({ bundle_number }) => bundle_number),
        )
        await insertDeliveries(tx, database.dialect, deliveries)
        return true
      },
      { isolation: 'read committed' },
    )
    if (!isHeld) return false
  }
}
