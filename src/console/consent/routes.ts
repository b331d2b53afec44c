import { type App, errorResponses, type Routes, sellerOf } from '../../http/route.ts'
import type { ConsentOperations } from './operations.ts'
import { Consent, ConsentBody, ConsentQuery, ConsentResult } from './schema.ts'

const PATH = '/console/v1/consents'
const tags = ['console']
const config = { access: { seller: true } } as const

export function createConsentRoutes(operations: ConsentOperations): Routes {
  return (app: App) => {
    // The address of the live service, to which applications send sellers.
    app.get(
      '/apps/authorize/consent',
      { config: { access: 'public' }, schema: { operationId: 'redirectToConsent', hide: true } },
      async ({ url }, reply) => {
        const start = url.indexOf('?')
        return reply.redirect(`/console/authorize${start === -1 ? '' : url.slice(start)}`)
      },
    )

    app.get(
      PATH,
      {
        config,
        schema: {
          operationId: 'getConsoleConsent',
          summary: 'Get what a seller is asked to authorize',
          tags,
          querystring: ConsentQuery,
          response: { 200: Consent, ...errorResponses },
        },
      },
      async (request) => operations.getConsent(sellerOf(request), request.query),
    )

    app.post(
      PATH,
      {
        config,
        schema: {
          operationId: 'createConsoleConsent',
          summary: 'Create an authorization and its code for an application',
          tags,
          body: ConsentBody,
          response: { 200: ConsentResult, ...errorResponses },
        },
      },
      async (request) => operations.createConsent(sellerOf(request), request.body),
    )
  }
}
