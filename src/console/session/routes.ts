import { type App, errorResponses, type Routes } from '../../http/route.ts'
import type { SessionOperations } from './operations.ts'
import { ConsoleSession } from './schema.ts'

const tags = ['console']

export function createSessionRoutes(operations: SessionOperations): Routes {
  return (app: App) => {
    app.get(
      '/console/v1/session',
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getConsoleSession',
          summary: 'Get the session of the console',
          description: 'Without a session, the status is 401 and the code `NotSignedIn`.',
          tags,
          response: { 200: ConsoleSession, ...errorResponses },
        },
      },
      async (request) => operations.getConsoleSession(request),
    )
  }
}
