import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../http/route.ts'
import { strict } from '../marketplace/shapes.ts'
import { operatorConfig, operatorTags } from './fact-routes.ts'
import type { OperatorOperations } from './operations.ts'

const AUTHORIZATION = '/operator/v1/authorizations/:sellerId/:applicationId'
const AuthorizationParams = Type.Object({ sellerId: Type.String(), applicationId: Type.String() })

/** What can be done with credentials besides creating them. */
export function createCredentialRoutes(operations: OperatorOperations): Routes {
  const config = operatorConfig
  const tags = operatorTags
  return (app: App) => {
    app.post(
      '/operator/v1/applications/:applicationId/clientSecret',
      {
        config,
        schema: {
          operationId: 'rotateClientSecret',
          summary: 'Give an application a new client secret; the old one stops working at once',
          tags,
          params: Type.Object({ applicationId: Type.String() }),
          response: {
            200: Type.Object({ applicationId: Type.String(), clientSecret: Type.String() }),
            ...errorResponses,
          },
        },
      },
      async (request) => operations.rotateClientSecret(request.params.applicationId),
    )

    app.post(
      `${AUTHORIZATION}/refreshToken`,
      {
        config,
        schema: {
          operationId: 'addRefreshToken',
          summary: 'Issue one more refresh token for an authorisation',
          tags,
          params: AuthorizationParams,
          response: { 200: Type.Object({ refreshToken: Type.String() }), ...errorResponses },
        },
      },
      async (request) => operations.addRefreshToken(request.params),
    )

    app.post(
      `${AUTHORIZATION}/code`,
      {
        config,
        schema: {
          operationId: 'createAuthorizationCode',
          summary: 'Issue a code that the application can exchange once for tokens, within five minutes',
          tags,
          params: AuthorizationParams,
          body: Type.Optional(
            Type.Object({ redirectUri: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })) }, strict),
          ),
          response: {
            200: Type.Object({ code: Type.String(), expiresInSeconds: Type.Integer() }),
            ...errorResponses,
          },
        },
      },
      async (request) => {
        const redirectUri = request.body?.redirectUri ?? null
        return operations.createAuthorizationCode(request.params, redirectUri)
      },
    )

    app.delete(
      AUTHORIZATION,
      {
        config,
        schema: {
          operationId: 'revokeAuthorization',
          summary: 'Take an authorisation back: its refresh tokens and access tokens stop working',
          tags,
          params: AuthorizationParams,
          response: { 200: Type.Object({}), ...errorResponses },
        },
      },
      async (request) => {
        await operations.revokeAuthorization(request.params)
        return {}
      },
    )
  }
}
