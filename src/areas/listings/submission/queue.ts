import type { Transaction } from '../../../platform/database/port.ts'
import type { JobQueue } from '../../../platform/jobs/port.ts'
import type { ListingKey } from '../domain/listing.ts'
import { listingId } from './batch.ts'

export const PROCESS_LISTING = 'processListing'

// Longer than the delay between a submission and its processing, unless a developer asks for more with `--delay`.
const SOON_MILLISECONDS = 60_000

export interface ProcessingTime {
  runAt: Date
  now: Date
}

/**
 * One keyed job per listing: it processes the listing as stored when it runs, and schedules the next run. Sellers take turns,
 * with a line of their own for listings, which must not wait for the seller's reports. A change of a price in the future has no
 * owner: a worker would read all of a seller's future jobs to find the next owner with one that is due.
 */
export async function enqueueProcessing(
  tx: Transaction,
  jobs: JobQueue,
  { sellerId, sku, marketplaceId }: ListingKey,
  { runAt, now }: ProcessingTime,
): Promise<void> {
  const payload: ListingKey = { sellerId, sku, marketplaceId }
  const isSoon = runAt.getTime() - now.getTime() <= SOON_MILLISECONDS
  const owner = isSoon ? { owner: `${sellerId}/listings` } : {}
  await jobs.enqueue(tx, { kind: PROCESS_LISTING, key: listingId(payload), payload, runAt, ...owner })
}
