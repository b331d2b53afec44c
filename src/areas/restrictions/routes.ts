import { type App, errorResponses, type Routes, sellerOf } from '../../http/route.ts'
import type { RestrictionOperations } from './operations.ts'
import { RestrictionList, RestrictionsQuery } from './schema.ts'

export function createRestrictionRoutes(operations: RestrictionOperations): Routes {
  return (app: App) => {
    app.get(
      '/listings/2021-08-01/restrictions',
      {
        config: { access: { seller: true }, rate: { perSecond: 5, burst: 10 } },
        schema: {
          operationId: 'getListingsRestrictions',
          summary: 'List the restrictions on selling a product',
          tags: ['restrictions'],
          querystring: RestrictionsQuery,
          response: { 200: RestrictionList, ...errorResponses },
        },
      },
      async (request) => operations.getListingsRestrictions(sellerOf(request), request.query),
    )
  }
}
