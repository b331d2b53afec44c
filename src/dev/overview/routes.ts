import { type App, errorResponses, type Routes } from '../../http/route.ts'
import type { OverviewOperations } from './operations.ts'
import { Overview } from './schema.ts'

export const createOverviewRoutes =
  (operations: OverviewOperations): Routes =>
  (app: App) => {
    app.get(
      '/_souk/overview',
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getOverview',
          summary: 'Get recent activity, sales and background work',
          tags: ['stand-in'],
          response: { 200: Overview, ...errorResponses },
        },
      },
      () => operations.getOverview(),
    )
  }
