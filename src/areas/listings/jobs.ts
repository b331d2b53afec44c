import { requireParticipation } from '../../marketplace/accounts/participation.ts'
import type { JobHandlers } from '../../platform/jobs/port.ts'
import type { ListingKey } from './domain/listing.ts'
import { findListing } from './store/listing-store.ts'
import { type ListingWriter, PROCESS_LISTING } from './submission/writer.ts'

export interface ListingJobDependencies {
  writer: ListingWriter
}

/** What the worker does for listings. */
export function createListingJobs({ writer }: ListingJobDependencies): JobHandlers {
  return {
    [PROCESS_LISTING]: {
      async run(key: ListingKey, { finish }) {
        await finish(async (tx) => {
          const before = await findListing(tx, key)
          if (!before) return
          const [place] = await requireParticipation(tx, key.sellerId, [key.marketplaceId])
          if (!place) return
          await writer.reprocess(tx, before, place)
        })
      },
      async giveUp() {
        // The listing stays as it was submitted; the next change to it is processed again.
      },
    },
  }
}
