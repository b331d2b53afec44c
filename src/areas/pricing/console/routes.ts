import { type App, errorResponses, type Routes, sellerOf } from '../../../http/route.ts'
import type { PricingConsoleOperations } from './operations.ts'
import { MarketplaceQuery, ProductOffers, ProductParams, ProductPriceHistory } from './schema.ts'

const tags = ['pricing']
// As getItemOffers: with an access token, this must not be a way around its quota.
const config = { access: { seller: true }, rate: { perSecond: 0.5, burst: 1 } } as const

export const createPricingConsoleRoutes =
  (operations: PricingConsoleOperations): Routes =>
  (app: App) => {
    app.get(
      '/console/v1/products/:asin/priceHistory',
      {
        config,
        schema: {
          operationId: 'getProductPriceHistory',
          summary: 'Get the featured price of a product on the last 90 days',
          tags,
          params: ProductParams,
          querystring: MarketplaceQuery,
          response: { 200: ProductPriceHistory, ...errorResponses },
        },
      },
      (request) => operations.getProductPriceHistory(sellerOf(request), { ...request.params, ...request.query }),
    )

    app.get(
      '/console/v1/products/:asin/offers',
      {
        config,
        schema: {
          operationId: 'getProductOffers',
          summary: 'Get the offers of a product and why each is or is not featured',
          tags,
          params: ProductParams,
          querystring: MarketplaceQuery,
          response: { 200: ProductOffers, ...errorResponses },
        },
      },
      (request) => operations.getProductOffers(sellerOf(request), { ...request.params, ...request.query }),
    )
  }
