import { type App, errorResponses, type Routes, sellerOf } from '../../../http/route.ts'
import type { NotificationConsoleOperations } from './operations.ts'
import { DeliveriesQuery, SellerDeliveries } from './schema.ts'

export const createNotificationConsoleRoutes =
  (operations: NotificationConsoleOperations): Routes =>
  (app: App) => {
    app.get(
      '/console/v1/deliveries',
      {
        config: { access: { seller: true }, rate: { perSecond: 2, burst: 20 } },
        schema: {
          operationId: 'listSellerDeliveries',
          summary: "List the seller's notifications",
          tags: ['notifications'],
          querystring: DeliveriesQuery,
          response: { 200: SellerDeliveries, ...errorResponses },
        },
      },
      (request) => operations.listSellerDeliveries(sellerOf(request), request.query),
    )
  }
