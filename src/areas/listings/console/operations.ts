import { findParticipationError } from '../../../marketplace/accounts/participation.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import { MAX_CHANGES, oldestChange } from '../domain/history.ts'
import type { ListingKey } from '../domain/listing.ts'
import { listPastTerms } from '../store/history-store.ts'
import { findListing } from '../store/listing-store.ts'
import { renderHistory } from './render.ts'
import type { ListingHistory } from './schema.ts'

export type ListingConsoleOperations = ReturnType<typeof createListingConsoleOperations>

/** What the console shows of a listing. */
export function createListingConsoleOperations({ database, clock }: { database: Database; clock: Clock }) {
  return {
    async getListingHistory(
      { sellerId }: SellerCaller,
      { sku, marketplaceId }: Omit<ListingKey, 'sellerId'>,
    ): Promise<ListingHistory> {
      const key = { sellerId, sku, marketplaceId }
      const now = clock.now()
      const oldest = oldestChange(now).toISOString()
      return database.read(async (reader) => {
        const participationError = await findParticipationError(reader, sellerId, marketplaceId)
        if (participationError) throw participationError
        const listing = await findListing(reader, key)
        if (!listing) {
          throw new ApiError('NotFound', `There is no listing ${sku} in marketplace ${marketplaceId}.`, '', {
            missing: { kind: 'sku', id: sku, marketplaceIds: [marketplaceId] },
          })
        }
        // Changes before its creation are those of a deleted listing with the same SKU.
        const since = listing.createdAt > oldest ? listing.createdAt : oldest
        const past = await listPastTerms(reader, key, { since, limit: MAX_CHANGES + 1 })
        return renderHistory(listing, past, { since, until: now.toISOString() })
      })
    },
  }
}
