import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { pathOf } from '../../http/authentication.ts'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { DateTime, strict } from '../../marketplace/schema.ts'
import { parseTimestamp } from '../../platform/timestamps.ts'
import {
  operatorConfig as config,
  DEFAULT_PAGE_SIZE,
  PageQuery,
  operatorTags as tags,
} from '../resources/resource-routes.ts'
import type { AuditOperations } from './operations.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request of an operator is recorded: it changes something, and its credentials are good. */
    isAudited: boolean
  }
}

const MAX_TARGET_LENGTH = 2000

const AuditQuery = Type.Object(
  {
    ...PageQuery.properties,
    actor: Type.Optional(Type.String({ maxLength: 500, description: 'Default: all' })),
    operation: Type.Optional(Type.String({ maxLength: 100, description: 'Default: all' })),
    from: Type.Optional(Type.String({ ...DateTime, description: 'Default: from the oldest' })),
    to: Type.Optional(Type.String({ ...DateTime, description: 'Entries before this time. Default: until now' })),
  },
  strict,
)

const AuditList = Type.Object({
  audit: Type.Array(
    Type.Object({
      auditId: Type.String(),
      occurredAt: DateTime,
      actor: Type.String({
        description:
          '`key:` and the mark of an operator key, `console:` and the account, `console:key:` and the mark of the key of a sign-in, or `developer`',
      }),
      operation: Type.String(),
      target: Type.String({ description: 'The path of the request' }),
      status: Type.Integer({ description: 'Of the response' }),
      requestId: Type.String(),
    }),
    { description: 'Newest first' },
  ),
  nextToken: Type.Optional(Type.String()),
})

export const createAuditRoutes =
  (operations: AuditOperations): Routes =>
  (app: App) => {
    app.get(
      '/operator/v1/audit',
      {
        config,
        schema: {
          operationId: 'listAudit',
          summary: 'List what operators did',
          tags,
          querystring: AuditQuery,
          response: { 200: AuditList, ...errorResponses },
        },
      },
      ({ query: { from, to, ...query } }) =>
        operations.listAudit({
          pageSize: DEFAULT_PAGE_SIZE,
          ...query,
          ...(from !== undefined && { from: parseTimestamp(from) }),
          ...(to !== undefined && { to: parseTimestamp(to) }),
        }),
    )
  }

/** Records what operators change, on the routes that are registered from now on. */
export const createAuditHooks =
  ({ record }: AuditOperations): Routes =>
  (app: App) => {
    app.decorateRequest('isAudited', false)
    app.addHook('onRoute', (route) => {
      if (route.config?.access !== 'operator' || route.method === 'GET') return
      const { operationId = 'unknown' } = route.schema ?? {}
      // After authentication: anyone can send a wrong key.
      route.preParsing = [
        async (request: FastifyRequest) => {
          request.isAudited = true
        },
        route.preParsing ?? [],
      ].flat()
      // Before the response is sent, so that an operator who has it finds the entry.
      route.onSend = [
        route.onSend ?? [],
        async (request: FastifyRequest, reply: FastifyReply) => {
          if (!request.isAudited) return
          const action = {
            actor: request.operator ?? 'unknown',
            operation: operationId,
            // Without the host that a request in absolute form may name.
            target: pathOf(request)
              .replace(/^https?:\/\/[^/]*/i, '')
              .slice(0, MAX_TARGET_LENGTH),
            status: reply.statusCode,
            requestId: request.id,
          }
          await record(action).catch((err: unknown) =>
            request.log.error({ err, ...action }, 'cannot write to the audit log'),
          )
        },
      ].flat()
    })
  }
