import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import { type App, errorResponses } from './route.ts'

const Status = Type.Object({ status: Type.String() })
const tags = ['health']

/** For those who run the service: is it alive, can it work, how is it doing. */
export function addProbes(app: App, registry: Registry, reachDatabase: () => Promise<unknown>): void {
  const config = { access: 'public' } as const

  app.get(
    '/healthz',
    { config, schema: { operationId: 'getHealth', tags, summary: 'The process is alive', response: { 200: Status } } },
    async () => ({ status: 'ok' }),
  )

  app.get(
    '/readyz',
    {
      config,
      schema: {
        operationId: 'getReadiness',
        tags,
        summary: 'The process can do its work: its database answers',
        response: { 200: Status, ...errorResponses },
      },
    },
    async () => {
      await reachDatabase()
      return { status: 'ready' }
    },
  )

  app.get(
    '/metrics',
    { config, schema: { operationId: 'getMetrics', tags, summary: 'Measurements in the Prometheus text format' } },
    async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
  )
}
