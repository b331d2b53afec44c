import { requireParticipation } from '../../marketplace/accounts/participation.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { JobHandlers } from '../../platform/jobs/port.ts'
import type { ListingKey } from './domain/listing.ts'
import { findListingToChange } from './store/listing-store.ts'
import { lockRelations } from './store/relation-store.ts'
import { PROCESS_LISTING } from './submission/queue.ts'
import type { ListingWriter } from './submission/writer.ts'

export interface ListingJobDependencies {
  writer: ListingWriter
}

async function lockListing(tx: Transaction, key: ListingKey): Promise<void> {
  await lockRelations(tx, [key], 'shared')
  await findListingToChange(tx, key)
}

export function createListingJobs({ writer }: ListingJobDependencies): JobHandlers {
  return {
    [PROCESS_LISTING]: {
      async run(key: ListingKey, { finish }) {
        await finish(
          async (tx) => {
            const before = await findListingToChange(tx, key)
            if (!before) return
            const [marketplace] = await requireParticipation(tx, key.sellerId, [key.marketplaceId])
            if (marketplace) await writer.reprocess(tx, before, marketplace)
          },
          // A submission locks the listing and then its job. In the other order, each would wait for the other.
          { isolation: 'read committed', lockFirst: (tx) => lockListing(tx, key) },
        )
      },
      async giveUp() {
        // The listing stays as submitted; the next change schedules processing again.
      },
    },
  }
}
