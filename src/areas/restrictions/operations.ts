import { findMarketplaces } from '../../marketplace/accounts/marketplaces.ts'
import { requireParticipation } from '../../marketplace/accounts/participation.ts'
import { findCatalogItems } from '../../marketplace/catalog/index.ts'
import { requireSameSeller, type SellerCaller } from '../../platform/auth/caller.ts'
import type { Database } from '../../platform/database/port.ts'
import { type RestrictionQuery, renderRestrictions } from './render.ts'
import type { RestrictionList, RestrictionsQuery } from './schema.ts'

export interface RestrictionsDependencies {
  database: Database
}

export type RestrictionOperations = ReturnType<typeof createRestrictionOperations>

export function createRestrictionOperations({ database }: RestrictionsDependencies) {
  return {
    async getListingsRestrictions(caller: SellerCaller, query: RestrictionsQuery): Promise<RestrictionList> {
      requireSameSeller(caller, query.sellerId)
      const { asin, sellerId, conditionType, reasonLocale } = query
      const { marketplaceIds } = query
      return database.read(async (reader) => {
        const [place] = await requireParticipation(reader, sellerId, marketplaceIds)
        const keys = marketplaceIds.map((marketplaceId) => ({ marketplaceId, asin }))
        const items = await findCatalogItems(reader, keys)
        const marketplaces = await findMarketplaces(reader, marketplaceIds)
        const question: RestrictionQuery = {
          asin,
          sellerId,
          ...(conditionType && { conditionType }),
          locale: reasonLocale ?? place?.languageCode ?? 'en_US',
        }
        const explained = marketplaces.map((marketplace) => {
          const item = items.find(({ marketplaceId }) => marketplaceId === marketplace.marketplaceId)
          return renderRestrictions(item, marketplace, question)
        })
        return { restrictions: explained.flat() }
      })
    },
  }
}
