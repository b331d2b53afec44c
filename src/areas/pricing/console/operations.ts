import { findParticipationError } from '../../../marketplace/accounts/participation.ts'
import { dayOf, loadMarkets, type Market, type MarketKey, marketId } from '../../../marketplace/market/index.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import type { PricingDependencies } from '../ports.ts'
import { renderPriceHistory, renderProductOffers } from './render.ts'
import type { ProductOffers, ProductPriceHistory } from './schema.ts'

export type PricingConsoleOperations = ReturnType<typeof createPricingConsoleOperations>

/** What the console shows of a market. */
export function createPricingConsoleOperations({ database, clock }: Pick<PricingDependencies, 'database' | 'clock'>) {
  return {
    async getProductPriceHistory(caller: SellerCaller, key: MarketKey): Promise<ProductPriceHistory> {
      const now = clock.now()
      return renderPriceHistory(await requireMarket(caller, key, now), dayOf(now))
    },

    async getProductOffers(caller: SellerCaller, key: MarketKey): Promise<ProductOffers> {
      return renderProductOffers(await requireMarket(caller, key, clock.now()), caller.sellerId)
    },
  }

  function requireMarket({ sellerId }: SellerCaller, key: MarketKey, now: Date): Promise<Market> {
    return database.read(async (reader) => {
      const participationError = await findParticipationError(reader, sellerId, key.marketplaceId)
      if (participationError) throw participationError
      const market = (await loadMarkets(reader, [key], now)).get(marketId(key))
      if (!market)
        throw new ApiError('NotFound', `There is no product ${key.asin} in marketplace ${key.marketplaceId}.`, '', {
          missing: { kind: 'asin', id: key.asin, marketplaceIds: [key.marketplaceId] },
        })
      return market
    })
  }
}
