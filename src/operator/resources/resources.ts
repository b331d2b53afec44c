import { type Static, Type } from 'typebox'
import type { App, Routes } from '../../http/route.ts'
import { Application, type RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import { Authorization } from '../../marketplace/accounts/authorizations.ts'
import { Marketplace } from '../../marketplace/accounts/marketplaces.ts'
import { Seller } from '../../marketplace/accounts/sellers.ts'
import { DateTime, SellerId } from '../../marketplace/schema.ts'
import { Feedback } from '../../marketplace/trade/feedback.ts'
import { Order } from '../../marketplace/trade/orders.ts'
import { Return } from '../../marketplace/trade/returns.ts'
import type { OperatorOperations } from './operations.ts'
import { addFactRoutes } from './resource-routes.ts'

const ShownApplication = Type.Object({
  ...Application.properties,
  clientId: Type.String(),
  clientSecret: Type.Optional(Type.String({ description: 'Only in the answer that created it' })),
  signingKey: Type.Object({
    accessKeyId: Type.String(),
    secretAccessKey: Type.Optional(Type.String({ description: 'Only in the answer that created it' })),
  }),
  previousSecretEndsAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'Until when the client secret before this one is valid too' }),
  ),
  previousSigningKeyEndsAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'Until when the signing key before this one is valid too' }),
  ),
})
export type ShownApplication = Static<typeof ShownApplication>

const ShownAuthorization = Type.Object({
  ...Authorization.properties,
  authorizedAt: DateTime,
  refreshToken: Type.Optional(Type.String({ description: 'Only in the answer that created it' })),
})
export type ShownAuthorization = Static<typeof ShownAuthorization>

export function showApplication(application: RegisteredApplication, now: Date): ShownApplication {
  const { delegatees, previousSecret, previousSigningKey } = application
  const isValid = (previous: { endsAt: Date } | undefined) => previous !== undefined && previous.endsAt > now
  return {
    applicationId: application.applicationId,
    name: application.name,
    ...(delegatees && { delegatees }),
    clientId: application.clientId,
    signingKey: { accessKeyId: application.signingKeyId },
    ...(isValid(previousSecret) && { previousSecretEndsAt: previousSecret?.endsAt.toISOString() ?? '' }),
    ...(isValid(previousSigningKey) && { previousSigningKeyEndsAt: previousSigningKey?.endsAt.toISOString() ?? '' }),
  }
}

const ofOneSeller = Type.Object({ sellerId: Type.Optional(SellerId) })

export function createFactRoutes(operations: OperatorOperations): Routes {
  return (app: App) => {
    addFactRoutes<Marketplace, Marketplace>(app, {
      plural: 'marketplaces',
      singular: 'Marketplace',
      schema: Marketplace,
      shownSchema: Marketplace,
      key: ['marketplaceId'],
      upsert: operations.upsertMarketplaces,
      find: operations.findMarketplace,
      list: operations.listMarketplaces,
    })
    addFactRoutes<Seller, Seller>(app, {
      plural: 'sellers',
      singular: 'Seller',
      schema: Seller,
      shownSchema: Seller,
      key: ['sellerId'],
      upsert: operations.upsertSellers,
      find: operations.findSeller,
      list: operations.listSellers,
    })
    addFactRoutes<Application, ShownApplication>(app, {
      plural: 'applications',
      singular: 'Application',
      schema: Application,
      shownSchema: ShownApplication,
      key: ['applicationId'],
      upsert: operations.upsertApplications,
      find: operations.findApplication,
      list: operations.listApplications,
    })
    addFactRoutes<Authorization, ShownAuthorization>(app, {
      plural: 'authorizations',
      singular: 'Authorization',
      schema: Authorization,
      shownSchema: ShownAuthorization,
      key: ['sellerId', 'applicationId'],
      upsert: operations.upsertAuthorizations,
      find: operations.findAuthorization,
      list: operations.listAuthorizations,
    })
    addFactRoutes<Order, Order>(app, {
      plural: 'orders',
      singular: 'Order',
      schema: Order,
      shownSchema: Order,
      key: ['sellerId', 'orderId'],
      filters: ofOneSeller,
      upsert: operations.upsertOrders,
      find: operations.findOrder,
      list: operations.listOrders,
    })
    addFactRoutes<Return, Return>(app, {
      plural: 'returns',
      singular: 'Return',
      schema: Return,
      shownSchema: Return,
      key: ['sellerId', 'rmaId'],
      filters: ofOneSeller,
      upsert: operations.upsertReturns,
      find: operations.findReturn,
      list: operations.listReturns,
    })
    addFactRoutes<Feedback, Feedback>(app, {
      plural: 'feedback',
      singular: 'Feedback',
      spoken: 'pieces of feedback',
      schema: Feedback,
      shownSchema: Feedback,
      key: ['sellerId', 'orderId'],
      filters: ofOneSeller,
      upsert: operations.upsertFeedback,
      find: operations.findFeedback,
      list: operations.listFeedback,
    })
  }
}
