import { Type } from 'typebox'
import { ApiError } from '../platform/errors/api-error.ts'
import { errorBody } from './error-handler.ts'
import type { RenderMetrics } from './metrics-page.ts'
import { type App, errorResponses } from './route.ts'

const Status = Type.Object({ status: Type.String() })
const tags = ['health']
const stopping = new ApiError('ServiceUnavailable', 'The process is shutting down.')

export interface ProbeOptions {
  checkDatabase(): Promise<void>
  /** Whether the process is about to stop and wants no more requests. */
  isDraining(): boolean
  renderMetrics: RenderMetrics
}

/** Liveness, readiness and metrics. */
export function addProbes(app: App, { checkDatabase, isDraining, renderMetrics }: ProbeOptions): void {
  const config = { access: 'public', ungated: true } as const

  app.get(
    '/healthz',
    {
      config,
      schema: { operationId: 'getHealth', tags, summary: 'Check that the process is alive', response: { 200: Status } },
    },
    async () => ({ status: 'ok' }),
  )

  app.get(
    '/readyz',
    {
      config,
      schema: {
        operationId: 'getReadiness',
        tags,
        summary: 'Check that the process is ready to serve requests',
        response: { 200: Status, ...errorResponses },
      },
    },
    async (_request, reply) => {
      // Sent, not thrown: a planned stop is no failure to be logged.
      if (isDraining()) return reply.code(stopping.status).send(errorBody(stopping) as never)
      await checkDatabase()
      return { status: 'ready' }
    },
  )

  app.get(
    '/metrics',
    { config, schema: { operationId: 'getMetrics', tags, summary: 'Get metrics in the Prometheus text format' } },
    async (_request, reply) => {
      const { contentType, text } = await renderMetrics()
      return reply.type(contentType).send(text)
    },
  )
}
