import { listParticipations } from '../../marketplace/accounts/participation.ts'
import { findSeller } from '../../marketplace/accounts/sellers.ts'
import type { SellerCaller } from '../../platform/auth/caller.ts'
import type { Database } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { neverPasses } from '../../platform/errors/explanation.ts'
import { renderParticipation } from './render.ts'
import type { Account, MarketplaceParticipations } from './schema.ts'

export interface SellersDependencies {
  database: Database
}

export type SellerOperations = ReturnType<typeof createSellerOperations>

export function createSellerOperations({ database }: SellersDependencies) {
  return {
    async getMarketplaceParticipations({ sellerId }: SellerCaller): Promise<MarketplaceParticipations> {
      const participations = await database.read((reader) => listParticipations(reader, sellerId))
      return { payload: participations.map(renderParticipation) }
    },

    async getAccount({ sellerId }: SellerCaller): Promise<Account> {
      return database.read(async (reader) => {
        const seller = await findSeller(reader, sellerId)
        if (!seller) {
          const explain = neverPasses('Have the operator register the seller.', { sellerId })
          throw new ApiError('NotFound', `Seller ${sellerId} does not exist.`, '', { explain })
        }
        const { businessType, sellingPlan, business, primaryContact } = seller
        const participations = await listParticipations(reader, sellerId)
        const marketplaceParticipationList = participations.map(renderParticipation)
        return { payload: { businessType, sellingPlan, business, primaryContact, marketplaceParticipationList } }
      })
    },
  }
}
