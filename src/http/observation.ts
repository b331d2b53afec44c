import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../platform/logging/logger.ts'
import { maskTokens } from '../platform/logging/mask-tokens.ts'
import { createRequestLog } from '../platform/logging/request-log.ts'
import type { Metric } from '../platform/metrics/port.ts'
import { pathOf } from './authentication.ts'
import { RequestMetrics } from './request-metrics.ts'
import { type App, addRouteHooks } from './route.ts'

/** One log line and one measurement for each request, both keyed by the operation's name. Returns the measurements. */
export function addObservation(app: App, logger: Logger): readonly Metric[] {
  const log = createRequestLog(logger)
  app.decorateRequest('loggedError', undefined)
  app.decorateRequest('thrown', undefined)
  app.decorateRequest('isLogged', false)
  app.decorateRequest('faultId', undefined)
  const metrics = new RequestMetrics()

  addRouteHooks(app, ({ operation }) => {
    const observe = createObserver(operation)
    return {
      onResponse: (request, reply, done) => {
        observe(request, reply)
        done()
      },
    }
  })

  const observeUnknown = createObserver('unknown')
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) observeUnknown(request, reply)
    done()
  })
  return metrics.metrics

  function createObserver(operation: string) {
    const measure = metrics.forOperation(operation)
    return (request: FastifyRequest, reply: FastifyReply) => {
      const status = reply.statusCode
      const milliseconds = reply.elapsedTime
      measure(status, milliseconds / 1000)
      log({
        requestId: request.id,
        operation,
        caller: request.caller,
        method: request.method,
        // A token in a path is a mistake, and such a request is refused.
        path: request.loggedError ? maskTokens(pathOf(request)) : pathOf(request),
        status,
        milliseconds: Math.round(milliseconds * 1000) / 1000,
        error: request.loggedError,
      })
    }
  }
}
