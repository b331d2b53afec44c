import { type TObject, Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import type { Rotation } from '../../marketplace/accounts/credential-rotation.ts'
import { strict } from '../../marketplace/schema.ts'
import { operatorConfig as config, operatorTags as tags } from '../resources/resource-routes.ts'
import type { CredentialOperations } from './operations.ts'
import type { RotationOperations } from './rotation-operations.ts'

const APPLICATION = '/operator/v1/applications/:applicationId'
const ApplicationParams = Type.Object({ applicationId: Type.String() })
const RotationBody = Type.Optional(
  Type.Object(
    {
      overlapSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 30 * 24 * 60 * 60,
          description: 'How long the previous credential stays valid. Default: 604800 (7 days)',
        }),
      ),
      discardCurrent: Type.Optional(
        Type.Boolean({
          description:
            'Replace the credential of the last rotation, whose response was lost, and keep the previous one',
        }),
      ),
    },
    strict,
  ),
)

const AUTHORIZATION = '/operator/v1/authorizations/:sellerId/:applicationId'
const AuthorizationParams = Type.Object({ sellerId: Type.String(), applicationId: Type.String() })

export function createCredentialRoutes(operations: CredentialOperations, rotations: RotationOperations): Routes {
  return (app: App) => {
    addRotation(app, {
      path: `${APPLICATION}/clientSecret`,
      name: 'ClientSecret',
      label: 'client secret',
      result: Type.Object({
        applicationId: Type.String(),
        clientSecret: Type.String(),
        previousSecretEndsAt: Type.String({ format: 'date-time' }),
      }),
      rotate: rotations.rotateClientSecret,
      endPrevious: rotations.endPreviousClientSecret,
    })
    addRotation(app, {
      path: `${APPLICATION}/signingKey`,
      name: 'SigningKey',
      label: 'signing key',
      result: Type.Object({
        applicationId: Type.String(),
        signingKey: Type.Object({ accessKeyId: Type.String(), secretAccessKey: Type.String() }),
        previousSigningKeyEndsAt: Type.String({ format: 'date-time' }),
      }),
      rotate: rotations.rotateSigningKey,
      endPrevious: rotations.endPreviousSigningKey,
    })

    app.post(
      `${AUTHORIZATION}/refreshToken`,
      {
        config,
        schema: {
          operationId: 'addRefreshToken',
          summary: 'Create a refresh token for an authorization',
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
          summary: 'Create an authorization code, valid for five minutes',
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
          summary: 'Revoke an authorization and its tokens',
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

interface RotationDefinition {
  path: string
  /** As in operation ids. */
  name: string
  label: string
  result: TObject
  rotate(applicationId: string, rotation: Rotation): Promise<object>
  endPrevious(applicationId: string): Promise<void>
}

function addRotation(app: App, { path, name, label, result, rotate, endPrevious }: RotationDefinition): void {
  app.post(
    path,
    {
      config,
      schema: {
        operationId: `rotate${name}`,
        summary: `Rotate the ${label} of an application`,
        tags,
        params: ApplicationParams,
        body: RotationBody,
        response: { 200: result, ...errorResponses },
      },
    },
    async (request) => ({ ...(await rotate(request.params.applicationId, request.body ?? {})) }),
  )

  app.delete(
    `${path}/previous`,
    {
      config,
      schema: {
        operationId: `endPrevious${name}`,
        summary: `Revoke the previous ${label}`,
        tags,
        params: ApplicationParams,
        response: { 200: Type.Object({}), ...errorResponses },
      },
    },
    async (request) => {
      await endPrevious(request.params.applicationId)
      return {}
    },
  )
}
