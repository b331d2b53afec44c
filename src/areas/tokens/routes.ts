import { type App, errorResponses, type Routes, reasonHeader, sellerOf } from '../../http/route.ts'
import type { Explain } from '../../platform/errors/explanation.ts'
import { invalidClient } from './client-authentication.ts'
import type { TokenOperations } from './operations.ts'
import {
  OAuthErrorBody,
  RestrictedDataTokenRequest,
  RestrictedDataTokenResponse,
  TokenRequest,
  TokenResponse,
} from './schema.ts'

const tags = ['tokens']
/** Room for all fields, encoded. The sender need not be known, so no quota bounds the time that parsing takes. */
const MAX_REQUEST_BYTES = 64 * 1024
/** As in the body. */
const MAX_FIELD_LENGTH = 2048
const OAuthErrors = { ...OAuthErrorBody, headers: reasonHeader }

export function createTokenRoutes(operations: TokenOperations): Routes {
  return (app: App) => {
    // The vendor's documentation has both spellings, and so do clients.
    for (const path of ['/auth/o2/token', '/auth/O2/token']) {
      app.post(
        path,
        {
          bodyLimit: MAX_REQUEST_BYTES,
          config: { access: 'public', oauth: true },
          schema: {
            operationId: 'createToken',
            summary: 'Create an access token (OAuth 2.0)',
            tags,
            consumes: ['application/x-www-form-urlencoded', 'application/json'],
            body: TokenRequest,
            response: { 200: TokenResponse, '4xx': OAuthErrors, '5xx': OAuthErrors },
            ...(path === '/auth/O2/token' && { hide: true }),
          },
        },
        async (request, reply) => {
          const basic = parseBasicAuth(request.headers.authorization)
          reply.header('pragma', 'no-cache')
          return operations.createToken(basic ? { ...request.body, ...basic } : request.body, request.ip)
        },
      )
    }

    app.post(
      '/tokens/2021-03-01/restrictedDataToken',
      {
        config: { access: { seller: true }, rate: { perSecond: 1, burst: 10 } },
        schema: {
          operationId: 'createRestrictedDataToken',
          summary: 'Create a restricted data token',
          tags,
          body: RestrictedDataTokenRequest,
          response: { 200: RestrictedDataTokenResponse, ...errorResponses },
        },
      },
      async (request) => operations.createRestrictedDataToken(sellerOf(request), request.body),
    )
  }
}

/** RFC 6749, section 2.3.1: clients can authenticate with HTTP Basic instead of the body. */
function parseBasicAuth(authorization: string | undefined) {
  if (authorization === undefined) return undefined
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  const [, id, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const credentials = { client_id: decode(id), client_secret: decode(secret) }
  if (!Object.values(credentials).every(isField)) throw invalidClient(explainBasicAuth)
  return credentials
}

function decode(text = ''): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

const isField = (text: string) => text !== '' && text.length <= MAX_FIELD_LENGTH && !text.includes('\0')

const explainBasicAuth: Explain = () => ({
  facts: { authorization: 'HTTP Basic without a client id and a client secret that can be decoded' },
  change: { headers: { authorization: 'Basic <client id and client secret>' } },
})
