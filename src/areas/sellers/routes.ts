import { type App, errorResponses, type Routes, sellerOf } from '../../http/route.ts'
import type { SellerOperations } from './operations.ts'
import { Account, MarketplaceParticipations } from './schema.ts'

const tags = ['sellers']
const config = { access: { seller: true }, rate: { perSecond: 0.016, burst: 15 } } as const

export function createSellerRoutes(operations: SellerOperations): Routes {
  return (app: App) => {
    app.get(
      '/sellers/v1/marketplaceParticipations',
      {
        config,
        schema: {
          operationId: 'getMarketplaceParticipations',
          summary: 'List the marketplace participations of the seller',
          tags,
          response: { 200: MarketplaceParticipations, ...errorResponses },
        },
      },
      async (request) => operations.getMarketplaceParticipations(sellerOf(request)),
    )

    app.get(
      '/sellers/v1/account',
      {
        config,
        schema: {
          operationId: 'getAccount',
          summary: 'Get the seller account',
          tags,
          response: { 200: Account, ...errorResponses },
        },
      },
      async (request) => operations.getAccount(sellerOf(request)),
    )
  }
}
