import { type App, errorResponses, type Routes, sellerOf } from '../../../http/route.ts'
import type { OrdersOperations } from './operations.ts'
import { GetOrderResponse, OrderParams, OrderQuery, SearchOrdersResponse, SearchQuery } from './schema.ts'

const tags = ['orders']
const PATH = '/orders/2026-01-01/orders'

export function createOrdersRoutes(operations: OrdersOperations): Routes {
  return (app: App) => {
    app.get(
      PATH,
      {
        config: { access: { seller: true }, rate: { perSecond: 0.0056, burst: 20 } },
        schema: {
          operationId: 'searchOrders',
          summary: 'Search orders created or updated in a period',
          tags,
          querystring: SearchQuery,
          response: { 200: SearchOrdersResponse, ...errorResponses },
        },
      },
      (request) => operations.searchOrders(sellerOf(request), request.query),
    )

    app.get(
      `${PATH}/:orderId`,
      {
        config: { access: { seller: true }, rate: { perSecond: 0.5, burst: 30 } },
        schema: {
          // Version 0 has a getOrder too, with a quota of its own.
          operationId: 'getOrder20260101',
          summary: 'Get an order with its items',
          tags,
          params: OrderParams,
          querystring: OrderQuery,
          response: { 200: GetOrderResponse, ...errorResponses },
        },
      },
      (request) => operations.getOrder(sellerOf(request), request.params.orderId, request.query.includedData),
    )
  }
}
