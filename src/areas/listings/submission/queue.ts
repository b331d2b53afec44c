import type { Transaction } from '../../../platform/database/port.ts'
import type { JobQueue } from '../../../platform/jobs/port.ts'
import type { ListingKey } from '../domain/listing.ts'
import { listingId } from './batch.ts'

export const PROCESS_LISTING = 'processListing'

/**
 * One keyed job per listing: it processes the listing as stored when it runs, and schedules the next run. Sellers take
 * turns, with a line of their own for listings, which must not wait for the seller's reports.
 */
export async function enqueueProcessing(
  tx: Transaction,
  jobs: JobQueue,
  { sellerId, sku, marketplaceId }: ListingKey,
  runAt: Date,
): Promise<void> {
  const payload: ListingKey = { sellerId, sku, marketplaceId }
  const owner = `${sellerId}/listings`
  await jobs.enqueue(tx, { kind: PROCESS_LISTING, key: listingId(payload), payload, runAt, owner })
}
