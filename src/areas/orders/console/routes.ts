import { type App, errorResponses, type Routes, sellerOf } from '../../../http/route.ts'
import type { ConsoleOrderOperations } from './operations.ts'
import { ListQuery, OrderHistory, OrderList, OrderParams } from './schema.ts'

const tags = ['orders']
const PATH = '/console/v1/orders'
// As getOrders and getOrder: with an access token, this must not be a way around their quotas.
const list = { access: { seller: true }, rate: { perSecond: 0.0167, burst: 20 } } as const
const one = { access: { seller: true }, rate: { perSecond: 0.5, burst: 30 } } as const

export function createConsoleOrderRoutes(operations: ConsoleOrderOperations): Routes {
  return (app: App) => {
    app.get(
      PATH,
      {
        config: list,
        schema: {
          operationId: 'listConsoleOrders',
          summary: 'List orders, newest first',
          tags,
          querystring: ListQuery,
          response: { 200: OrderList, ...errorResponses },
        },
      },
      (request) => operations.listOrders(sellerOf(request), request.query),
    )

    app.get(
      `${PATH}/:orderId`,
      {
        config: one,
        schema: {
          operationId: 'getConsoleOrderHistory',
          summary: 'Get what happened to an order',
          tags,
          params: OrderParams,
          response: { 200: OrderHistory, ...errorResponses },
        },
      },
      (request) => operations.getOrderHistory(sellerOf(request), request.params.orderId),
    )
  }
}
