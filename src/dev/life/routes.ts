import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import type { LifeOperations } from './operations.ts'
import { LifeOptions } from './options.ts'
import { LifeStatus } from './status.ts'

const config = { access: 'public', listsViolations: true } as const
const tags = ['stand-in']
const response = { 200: LifeStatus, ...errorResponses }

export function createLifeRoutes(operations: LifeOperations): Routes {
  return (app: App) => {
    app.get(
      '/_souk/life',
      {
        config,
        schema: { operationId: 'getLife', summary: 'Get what happens in the living market', tags, response },
      },
      async () => operations.getLife(),
    )
    app.post(
      '/_souk/life',
      {
        config,
        schema: {
          operationId: 'startLife',
          summary: 'Start a living market',
          tags,
          body: Type.Optional(LifeOptions),
          response,
        },
      },
      async (request) => operations.startLife(request.body ?? {}),
    )
    app.delete(
      '/_souk/life',
      { config, schema: { operationId: 'stopLife', summary: 'Stop the living market', tags, response } },
      async () => operations.stopLife(),
    )
  }
}
