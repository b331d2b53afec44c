import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import { ApiError } from '../platform/errors/api-error.ts'
import { cacheReads } from '../platform/metrics/cached.ts'
import { errorBody } from './error-handler.ts'
import { addUpMetrics, type MetricValues } from './register-metrics.ts'
import { type App, errorResponses } from './route.ts'

const Status = Type.Object({ status: Type.String() })
const tags = ['health']
const stopping = new ApiError('ServiceUnavailable', 'The process is shutting down.')

/** Processes that serve one port together, so that a scraper reaches any of them. */
export interface MetricsGroup {
  /** Says how the others read the metrics of this process. */
  join(readOwn: () => Promise<MetricValues>): void
  /** Of all processes, including this one. */
  readAll(): Promise<readonly MetricValues[]>
}

export interface ProbeOptions {
  checkDatabase(): Promise<void>
  /** Whether the process is about to stop and wants no more requests. */
  isDraining(): boolean
  metricsGroup?: MetricsGroup | undefined
}

/** Liveness, readiness and metrics. */
export function addProbes(
  app: App,
  registry: Registry,
  { checkDatabase, isDraining, metricsGroup }: ProbeOptions,
): void {
  const config = { access: 'public', ungated: true } as const

  metricsGroup?.join(() => registry.getMetricsAsJSON())
  // Scrapers at the same time share one reading of all processes.
  const readAll = metricsGroup && cacheReads(async () => addUpMetrics(await metricsGroup.readAll()), 0)

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
    async (_request, reply) => reply.type(registry.contentType).send(await (readAll?.() ?? registry.metrics())),
  )
}
