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
const OAuthErrors = { ...OAuthErrorBody, headers: reasonHeader }

export function createTokenRoutes(operations: TokenOperations): Routes {
  return (app: App) => {
    // The vendor's documentation has both spellings, and so do clients.
    for (const path of ['/auth/o2/token', '/auth/O2/token']) {
      app.post(
        path,
        {
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
  if (!id || !secret) throw invalidClient(explainBasicAuth)
  try {
    return { client_id: decodeURIComponent(id), client_secret: decodeURIComponent(secret) }
  } catch {
    throw invalidClient(explainBasicAuth)
  }
}

const explainBasicAuth: Explain = () => ({
  facts: { authorization: 'HTTP Basic without a client id and a client secret that can be decoded' },
  change: { headers: { authorization: 'Basic <client id and client secret>' } },
})
