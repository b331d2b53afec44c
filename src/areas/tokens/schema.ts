import { type Static, Type } from 'typebox'
import { DATA_ELEMENTS } from '../../platform/auth/caller.ts'

const Field = (description: string) => Type.Optional(Type.String({ maxLength: 2048, description }))

// The operation reports missing or conflicting fields as OAuth errors.
export const TokenRequest = Type.Object({
  grant_type: Field('refresh_token, client_credentials or authorization_code'),
  client_id: Field('May also come by HTTP Basic'),
  client_secret: Field('May also come by HTTP Basic'),
  refresh_token: Field('With refresh_token'),
  scope: Field('With client_credentials: one or more scopes, separated by spaces'),
  code: Field('With authorization_code'),
  redirect_uri: Field('With authorization_code, where the code was issued for one'),
})
export type TokenRequest = Static<typeof TokenRequest>

export const TokenResponse = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer(),
  refresh_token: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
})
export type TokenResponse = Static<typeof TokenResponse>

export const OAuthErrorBody = Type.Object({
  error: Type.String(),
  error_description: Type.String(),
  request_id: Type.String(),
})

export const RestrictedDataTokenRequest = Type.Object({
  restrictedResources: Type.Array(
    Type.Object({
      method: Type.Enum(['GET', 'PUT', 'POST', 'DELETE']),
      path: Type.String({ pattern: '^/', maxLength: 1000, examples: ['/orders/v0/orders/{orderId}/address'] }),
      dataElements: Type.Optional(Type.Array(Type.Enum(DATA_ELEMENTS), { maxItems: 10 })),
    }),
    { minItems: 1, maxItems: 50 },
  ),
  targetApplication: Type.Optional(
    Type.String({ maxLength: 200, description: 'The application that uses the token. Default: the caller' }),
  ),
})
export type RestrictedDataTokenRequest = Static<typeof RestrictedDataTokenRequest>

export const RestrictedDataTokenResponse = Type.Object({
  restrictedDataToken: Type.String(),
  expiresIn: Type.Integer(),
})
export type RestrictedDataTokenResponse = Static<typeof RestrictedDataTokenResponse>
