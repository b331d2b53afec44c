import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { pathOf } from './authentication.ts'
import { type App, operationOf } from './route.ts'

/** One log line and one measurement for each request, both keyed by the operation's name. */
export function addObservation(app: App): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'souk_requests_total',
    help: 'Requests answered, by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'souk_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer, by operation',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })

  // Finding a child by its labels costs more than counting, so the few that there are get kept.
  const counterOf = keep((operation, status) => requests.labels(operation, status))
  const timerOf = keep((operation) => seconds.labels(operation))

  app.addHook('onResponse', (request, reply, done) => {
    const operation = operationOf(request) ?? 'unknown'
    const milliseconds = reply.elapsedTime
    counterOf(operation, String(reply.statusCode)).inc()
    timerOf(operation, '').observe(milliseconds / 1000)
    request.log.info(logLine(request, reply, operation, milliseconds), 'request')
    done()
  })
  return registry
}

function keep<Value>(make: (operation: string, status: string) => Value) {
  const kept = new Map<string, Value>()
  return (operation: string, status: string): Value => {
    const key = operation + status
    let value = kept.get(key)
    if (value === undefined) {
      value = make(operation, status)
      kept.set(key, value)
    }
    return value
  }
}

function logLine(request: FastifyRequest, reply: FastifyReply, operation: string, milliseconds: number) {
  const { caller } = request
  return {
    requestId: request.id,
    operation,
    seller: caller?.kind === 'seller' ? caller.sellerId : undefined,
    application: caller?.applicationId,
    method: request.method,
    path: pathOf(request),
    status: reply.statusCode,
    milliseconds: Math.round(milliseconds * 1000) / 1000,
  }
}
