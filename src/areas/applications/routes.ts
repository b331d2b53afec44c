import { Type } from 'typebox'
import { type App, errorResponses, grantlessOf, type Routes } from '../../http/route.ts'
import type { ApplicationOperations } from './operations.ts'
import { IgnoredBody } from './schema.ts'

export function createApplicationRoutes(operations: ApplicationOperations): Routes {
  return (app: App) => {
    app.post(
      '/applications/2023-11-30/clientSecret',
      {
        config: {
          access: { scope: 'sellingpartnerapi::client_credential:rotation' },
          rate: { perSecond: 0.0167, burst: 1 },
        },
        schema: {
          operationId: 'rotateApplicationClientSecret',
          summary: 'Rotate the client secret of the application',
          tags: ['applications'],
          body: IgnoredBody,
          response: { 204: Type.Null({ description: 'The new secret is on its way to the queue' }), ...errorResponses },
        },
      },
      async (request, reply) => {
        await operations.rotateApplicationClientSecret(grantlessOf(request))
        return reply.code(204).send(null)
      },
    )
  }
}
