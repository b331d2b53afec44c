import { Type } from 'typebox'
import type { App, Routes } from '../../http/route.ts'
import { Marketplace } from '../../marketplace/accounts/marketplaces.ts'
import { Seller } from '../../marketplace/accounts/sellers.ts'
import { SellerId } from '../../marketplace/schema.ts'
import { Feedback } from '../../marketplace/trade/feedback.ts'
import { Order } from '../../marketplace/trade/orders.ts'
import { Return } from '../../marketplace/trade/returns.ts'
import type { ResourceOperations } from './operations.ts'
import { addResourceRoutes } from './resource-routes.ts'

const withText = Type.Object({
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Text in the id, in the name or address of the business, or in the name of a store',
    }),
  ),
})
const ofOneSeller = Type.Object({ sellerId: Type.Optional(SellerId) })

export function createResourceRoutes(operations: ResourceOperations): Routes {
  return (app: App) => {
    addResourceRoutes<Marketplace, Marketplace>(app, {
      plural: 'marketplaces',
      singular: 'Marketplace',
      schema: Marketplace,
      viewSchema: Marketplace,
      key: ['marketplaceId'],
      upsert: operations.upsertMarketplaces,
      find: operations.findMarketplace,
      list: operations.listMarketplaces,
      patch: operations.patchMarketplace,
    })
    addResourceRoutes<Seller, Seller>(app, {
      plural: 'sellers',
      singular: 'Seller',
      schema: Seller,
      viewSchema: Seller,
      key: ['sellerId'],
      filters: withText,
      upsert: operations.upsertSellers,
      find: operations.findSeller,
      list: operations.listSellers,
      patch: operations.patchSeller,
    })
    addResourceRoutes<Order, Order>(app, {
      plural: 'orders',
      singular: 'Order',
      schema: Order,
      viewSchema: Order,
      key: ['sellerId', 'orderId'],
      filters: ofOneSeller,
      upsert: operations.upsertOrders,
      find: operations.findOrder,
      list: operations.listOrders,
      patch: operations.patchOrder,
    })
    addResourceRoutes<Return, Return>(app, {
      plural: 'returns',
      singular: 'Return',
      schema: Return,
      viewSchema: Return,
      key: ['sellerId', 'rmaId'],
      filters: ofOneSeller,
      upsert: operations.upsertReturns,
      find: operations.findReturn,
      list: operations.listReturns,
      patch: operations.patchReturn,
    })
    addResourceRoutes<Feedback, Feedback>(app, {
      plural: 'feedback',
      singular: 'Feedback',
      label: 'pieces of feedback',
      schema: Feedback,
      viewSchema: Feedback,
      key: ['sellerId', 'orderId'],
      filters: ofOneSeller,
      upsert: operations.upsertFeedback,
      find: operations.findFeedback,
      list: operations.listFeedback,
      patch: operations.patchFeedback,
    })
  }
}
