import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { strict } from '../../marketplace/schema.ts'
import type { OperatorOperations } from '../resources/operations.ts'
import { operatorConfig, operatorTags } from '../resources/resource-routes.ts'

const APPLICATION = '/operator/v1/applications/:applicationId'
const ApplicationParams = Type.Object({ applicationId: Type.String() })
const RotationBody = Type.Optional(
  Type.Object(
    {
      overlapSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 30 * 24 * 60 * 60,
          description: 'How long the one that is replaced stays valid. Default: 604800, which is 7 days',
        }),
      ),
      discardCurrent: Type.Optional(
        Type.Boolean({
          description: 'Replace the one of the last rotation, whose answer was lost, and keep the one before',
        }),
      ),
    },
    strict,
  ),
)

const AUTHORIZATION = '/operator/v1/authorizations/:sellerId/:applicationId'
const AuthorizationParams = Type.Object({ sellerId: Type.String(), applicationId: Type.String() })

/** What can be done with credentials besides creating them. */
export function createCredentialRoutes(operations: OperatorOperations): Routes {
  const config = operatorConfig
  const tags = operatorTags
  return (app: App) => {
    app.post(
      `${APPLICATION}/clientSecret`,
      {
        config,
        schema: {
          operationId: 'rotateClientSecret',
          summary: 'Give an application a new client secret; the old one stays valid for a while',
          tags,
          params: ApplicationParams,
          body: RotationBody,
          response: {
            200: Type.Object({
              applicationId: Type.String(),
              clientSecret: Type.String(),
              previousSecretEndsAt: Type.String({ format: 'date-time' }),
            }),
            ...errorResponses,
          },
        },
      },
      async (request) => operations.rotateClientSecret(request.params.applicationId, request.body ?? {}),
    )

    app.delete(
      `${APPLICATION}/clientSecret/previous`,
      {
        config,
        schema: {
          operationId: 'endPreviousClientSecret',
          summary: 'End the client secret that was replaced, at once',
          tags,
          params: ApplicationParams,
          response: { 200: Type.Object({}), ...errorResponses },
        },
      },
      async (request) => {
        await operations.endPreviousClientSecret(request.params.applicationId)
        return {}
      },
    )

    app.post(
      `${APPLICATION}/signingKey`,
      {
        config,
        schema: {
          operationId: 'rotateSigningKey',
          summary: 'Give an application a new signing key; the old one stays valid for a while',
          tags,
          params: ApplicationParams,
          body: RotationBody,
          response: {
            200: Type.Object({
              applicationId: Type.String(),
              signingKey: Type.Object({ accessKeyId: Type.String(), secretAccessKey: Type.String() }),
              previousSigningKeyEndsAt: Type.String({ format: 'date-time' }),
            }),
            ...errorResponses,
          },
        },
      },
      async (request) => operations.rotateSigningKey(request.params.applicationId, request.body ?? {}),
    )

    app.delete(
      `${APPLICATION}/signingKey/previous`,
      {
        config,
        schema: {
          operationId: 'endPreviousSigningKey',
          summary: 'End the signing key that was replaced, at once',
          tags,
          params: ApplicationParams,
          response: { 200: Type.Object({}), ...errorResponses },
        },
      },
      async (request) => {
        await operations.endPreviousSigningKey(request.params.applicationId)
        return {}
      },
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
