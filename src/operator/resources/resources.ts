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
import { addResourceRoutes } from './resource-routes.ts'

const ApplicationView = Type.Object({
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
export type ApplicationView = Static<typeof ApplicationView>

const AuthorizationView = Type.Object({
  ...Authorization.properties,
  authorizedAt: DateTime,
  refreshToken: Type.Optional(Type.String({ description: 'Only in the answer that created it' })),
})
export type AuthorizationView = Static<typeof AuthorizationView>

export function renderApplication(application: RegisteredApplication, now: Date): ApplicationView {
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

export function createResourceRoutes(operations: OperatorOperations): Routes {
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
    })
    addResourceRoutes<Seller, Seller>(app, {
      plural: 'sellers',
      singular: 'Seller',
      schema: Seller,
      viewSchema: Seller,
      key: ['sellerId'],
      upsert: operations.upsertSellers,
      find: operations.findSeller,
      list: operations.listSellers,
    })
    addResourceRoutes<Application, ApplicationView>(app, {
      plural: 'applications',
      singular: 'Application',
      schema: Application,
      viewSchema: ApplicationView,
      key: ['applicationId'],
      upsert: operations.upsertApplications,
      find: operations.findApplication,
      list: operations.listApplications,
    })
    addResourceRoutes<Authorization, AuthorizationView>(app, {
      plural: 'authorizations',
      singular: 'Authorization',
      schema: Authorization,
      viewSchema: AuthorizationView,
      key: ['sellerId', 'applicationId'],
      upsert: operations.upsertAuthorizations,
      find: operations.findAuthorization,
      list: operations.listAuthorizations,
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
    })
  }
}
