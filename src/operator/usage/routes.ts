import { Type } from 'typebox'
import { type App, addRouteHooks, errorResponses, type Routes } from '../../http/route.ts'
import { strict } from '../../marketplace/schema.ts'
import {
  operatorConfig as config,
  DEFAULT_PAGE_SIZE,
  PageQuery,
  operatorTags as tags,
} from '../resources/resource-routes.ts'
import type { UsageOperations } from './operations.ts'
import type { UsageCounter } from './usage-counter.ts'

const Count = Type.Integer({ minimum: 0 })

const UsageQuery = Type.Object(
  {
    ...PageQuery.properties,
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Default: a day before `to`' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now' })),
    interval: Type.Optional(
      Type.Enum(['hour', 'day', 'total'], { description: 'What each count is about. Default: total' }),
    ),
  },
  strict,
)

const UsageList = Type.Object({
  from: Type.String({ format: 'date-time', description: 'The beginning of the first hour that was counted' }),
  to: Type.String({ format: 'date-time', description: 'The end of the last hour that was counted' }),
  usage: Type.Array(
    Type.Object({
      time: Type.Optional(Type.String({ format: 'date-time', description: 'When the hour or day began' })),
      operation: Type.String(),
      applicationId: Type.String({ description: '`souk-console` for the web console' }),
      sellerId: Type.Optional(Type.String({ description: 'Absent for a grantless token' })),
      requests: Count,
      succeeded: Count,
      refused: Type.Integer({ minimum: 0, description: 'With a status of 400 to 499' }),
      failed: Type.Integer({ minimum: 0, description: 'With a status of 500 or more' }),
    }),
    { description: 'By time, operation, application and seller' },
  ),
  nextToken: Type.Optional(Type.String()),
})

export const createUsageRoutes =
  (operations: UsageOperations): Routes =>
  (app: App) => {
    app.get(
      '/operator/v1/usage',
      {
        config,
        schema: {
          operationId: 'listUsage',
          summary: 'List how often operations were called, by application and seller',
          tags,
          querystring: UsageQuery,
          response: { 200: UsageList, ...errorResponses },
        },
      },
      ({ query }) => operations.listUsage({ pageSize: DEFAULT_PAGE_SIZE, ...query }),
    )
  }

/** Counts requests with a token, on the routes that are registered from now on. */
export const createUsageHooks =
  (counter: UsageCounter): Routes =>
  (app: App) =>
    addRouteHooks(app, ({ operation, access }) => {
      if (typeof access !== 'object') return {}
      const count = counter.forOperation(operation)
      return {
        onResponse: ({ caller }, { statusCode }, done) => {
          if (caller) count(caller, statusCode)
          done()
        },
      }
    })
