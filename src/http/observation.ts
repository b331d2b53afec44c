import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Caller } from '../platform/auth/caller.ts'
import { pathOf } from './authentication.ts'
import { type App, hookRoutes } from './route.ts'

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

  hookRoutes(app, ({ operation }) => {
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
  return registry

  /** What is the same for all requests of an operation is looked up here, once. */
  function createObserver(operation: string) {
    const logOf = createCallerLogs(app.log.child({ operation }))
    const timer = seconds.labels(operation)
    const counters = new Map<number, { inc(): void }>()
    return (request: FastifyRequest, reply: FastifyReply) => {
      const status = reply.statusCode
      let counter = counters.get(status)
      if (!counter) {
        counter = requests.labels(operation, String(status))
        counters.set(status, counter)
      }
      counter.inc()
      timer.observe(reply.elapsedTime / 1000)
      logOf(request.caller).info(logLine(request, reply), 'request')
    }
  }
}

/** A logger that names the caller, made once for as long as that caller's token stays in mind. */
function createCallerLogs(log: FastifyBaseLogger) {
  const logs = new WeakMap<Caller, FastifyBaseLogger>()
  return (caller: Caller | undefined): FastifyBaseLogger => {
    if (!caller) return log
    let own = logs.get(caller)
    if (!own) {
      const seller = caller.kind === 'seller' ? { seller: caller.sellerId } : {}
      own = log.child({ ...seller, application: caller.applicationId })
      logs.set(caller, own)
    }
    return own
  }
}

function logLine(request: FastifyRequest, reply: FastifyReply) {
  return {
    requestId: request.id,
    method: request.method,
    path: pathOf(request),
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 1000) / 1000,
  }
}
