import { type App, errorResponses, type Routes, sellerOf } from '../../../http/route.ts'
import type { ListingConsoleOperations } from './operations.ts'
import { HistoryParams, HistoryQuery, ListingHistory } from './schema.ts'

export const createListingConsoleRoutes =
  (operations: ListingConsoleOperations): Routes =>
  (app: App) => {
    app.get(
      '/console/v1/listings/:sku/history',
      {
        config: { access: { seller: true }, rate: { perSecond: 5, burst: 10 } },
        schema: {
          operationId: 'getListingHistory',
          summary: 'Get the price and the quantity of a listing over the last 90 days',
          tags: ['listings'],
          params: HistoryParams,
          querystring: HistoryQuery,
          response: { 200: ListingHistory, ...errorResponses },
        },
      },
      (request) => operations.getListingHistory(sellerOf(request), { ...request.params, ...request.query }),
    )
  }
