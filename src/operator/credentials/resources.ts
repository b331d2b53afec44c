import { type Static, Type } from 'typebox'
import type { App, Routes } from '../../http/route.ts'
import { Application, type RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import { Authorization } from '../../marketplace/accounts/authorizations.ts'
import { DateTime } from '../../marketplace/schema.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { addResourceRoutes } from '../resources/resource-routes.ts'

const ApplicationView = Type.Object({
  ...Application.properties,
  clientId: Type.String(),
  clientSecret: Type.Optional(Type.String({ description: 'Returned only by the request that created it' })),
  clientSecretExpiresAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When a client secret that the application created expires' }),
  ),
  signingKey: Type.Object({
    accessKeyId: Type.String(),
    secretAccessKey: Type.Optional(Type.String({ description: 'Returned only by the request that created it' })),
  }),
  previousSecretEndsAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the previous client secret expires' }),
  ),
  previousSigningKeyEndsAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the previous signing key expires' }),
  ),
})
export type ApplicationView = Static<typeof ApplicationView>

const AuthorizationView = Type.Object({
  ...Authorization.properties,
  authorizedAt: DateTime,
  refreshToken: Type.Optional(Type.String({ description: 'Returned only by the request that created it' })),
})
export type AuthorizationView = Static<typeof AuthorizationView>

export function renderApplication(application: RegisteredApplication, now: Date): ApplicationView {
  const { delegatees, roles, secretQueues, redirectUris, clientSecretExpiresAt, previousSecret, previousSigningKey } =
    application
  const isValid = (previous: { endsAt: Date } | undefined) => previous !== undefined && previous.endsAt > now
  return {
    applicationId: application.applicationId,
    name: application.name,
    ...(delegatees && { delegatees }),
    ...(roles && { roles }),
    ...(redirectUris && { redirectUris }),
    ...(secretQueues && { secretQueues }),
    clientId: application.clientId,
    ...(clientSecretExpiresAt && { clientSecretExpiresAt: clientSecretExpiresAt.toISOString() }),
    signingKey: { accessKeyId: application.signingKeyId },
    ...(isValid(previousSecret) && { previousSecretEndsAt: previousSecret?.endsAt.toISOString() ?? '' }),
    ...(isValid(previousSigningKey) && { previousSigningKeyEndsAt: previousSigningKey?.endsAt.toISOString() ?? '' }),
  }
}

interface CredentialResourceOperations {
  upsertApplications(applications: Application[]): Promise<ApplicationView[]>
  findApplication(key: Pick<Application, 'applicationId'>): Promise<ApplicationView | undefined>
  listApplications(page: PageRequest): Promise<ApplicationView[]>
  upsertAuthorizations(authorizations: Authorization[]): Promise<AuthorizationView[]>
  findAuthorization(key: Authorization): Promise<AuthorizationView | undefined>
  listAuthorizations(page: PageRequest): Promise<AuthorizationView[]>
}

export function createCredentialResourceRoutes(operations: CredentialResourceOperations): Routes {
  return (app: App) => {
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
  }
}
