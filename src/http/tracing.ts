import type { FastifyRequest } from 'fastify'
import type { Span, Tracer } from '../platform/tracing/port.ts'
import type { App } from './route.ts'

/** A span for each request, as a part of the trace of its client. Add it before all other hooks. */
export function addTracing(app: App, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers
    const span = tracer.start(request.method, {
      kind: 'server',
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: { 'http.request.method': request.method },
    })
    spans.set(request, span)
    span.within(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { url, schema } = request.routeOptions
    const status = reply.statusCode
    spans.get(request)?.end({
      name: schema?.operationId ?? `${request.method} unknown`,
      attributes: { 'http.route': url, 'http.response.status_code': status, 'souk.request_id': request.id },
      ...(status >= 500 && { error: request.thrown ?? new Error(`Status ${status}`) }),
    })
    done()
  })
}
