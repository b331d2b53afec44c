import { type FastifyBaseLogger, fastify, LogController } from 'fastify'
import type { Clock } from '../platform/clock/port.ts'
import { invalidInput } from '../platform/errors/api-error.ts'
import type { Ids } from '../platform/ids/port.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Metric } from '../platform/metrics/port.ts'
import type { Rates } from '../platform/throttle/limits.ts'
import type { Throttle } from '../platform/throttle/port.ts'
import type { Tracer } from '../platform/tracing/port.ts'
import { type Authentication, addAuthentication } from './authentication.ts'
import { addBodyParser } from './body-parser.ts'
import { addCommonHeaders } from './common-headers.ts'
import { Connections } from './connections.ts'
import { addDocs, type DocsOptions } from './docs.ts'
import { handleError } from './error-handler.ts'
import { addGetBodies } from './get-body.ts'
import { handleTogether } from './handle-together.ts'
import { createMetricsPage, type MetricsGroup, measureProcess } from './metrics-page.ts'
import { addNotFound } from './not-found.ts'
import { addObservation } from './observation.ts'
import { passingCompilers } from './passing-compilers.ts'
import { addProbes } from './probes.ts'
import { createQueryParser } from './query-parser.ts'
import { addQuotas } from './quotas.ts'
import { addRequestSigning, type RequestSigning } from './request-signing.ts'
import type { App, Routes } from './route.ts'
import { KeptHeadersResponse } from './sent-headers.ts'
import { defaultTimeouts, type Timeouts } from './timeouts.ts'
import { addTracing } from './tracing.ts'
import { addValidator } from './validator.ts'

export interface AppOptions {
  clock: Clock
  ids: Ids
  logger: Logger
  throttle: Throttle
  rates: Rates
  authentication: Authentication
  /** Absent where signatures are not asked for. */
  signing?: Omit<RequestSigning, 'clock'>
  checkDatabase(): Promise<void>
  /** What `/metrics` shows besides requests and the process itself. */
  metrics?: readonly Metric[]
  /** Measures the process from now on, not from the first request for its metrics. */
  measuresProcess?: boolean
  /** Present if other processes serve the same port. */
  metricsGroup?: MetricsGroup | undefined
  /** Absent if requests are not traced. */
  tracer?: Tracer | undefined
  /** Absent if the service does not serve its documentation. */
  docs?: DocsOptions
  maxConnections?: number
  /** Addresses and networks of reverse proxies. Default: none. */
  trustedProxies?: readonly string[]
  timeouts?: Partial<Timeouts>
  routes: Routes[]
}

export interface BuiltApp {
  app: App
  /** Turns readiness off and has clients leave, while the port stays open. */
  drain(): void
  /** Closes the port, finishes what is under way, and cuts off what does not finish in time. */
  close(): Promise<void>
}

const MAX_PATH_PARAMETER_LENGTH = 1000

/** Builds the HTTP edge around the routes it is given. It listens to nothing yet. */
export async function buildApp(options: AppOptions): Promise<BuiltApp> {
  const { clock, ids, logger, throttle, rates } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const connections = new Connections(timeouts)
  const app: App = fastify({
    loggerInstance: withoutChildLoggers(logger),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => ids.next('request'),
    exposeHeadRoutes: false,
    // Others could choose their address, and so avoid limits per client or have another client locked.
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    // Without a limit on the whole request: a large upload over a slow line takes as long as it takes.
    requestTimeout: 0,
    return503OnClosing: false,
    http: {
      headersTimeout: timeouts.headersMilliseconds,
      connectionsCheckingInterval: Math.min(5_000, timeouts.headersMilliseconds),
      // Most requests have no body: Node.js then makes no stream of it.
      optimizeEmptyRequests: true,
      // Node.js would refuse without a body; the hook below says why.
      requireHostHeader: false,
      ServerResponse: KeptHeadersResponse,
    },
    // Our own operations build responses; their schemas are for readers and tests, not for filtering.
    schemaController: passingCompilers,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_LENGTH, querystringParser: createQueryParser() },
    frameworkErrors: (error, request, reply) => {
      connections.begin(request.raw, reply.raw)
      handleError(error, request, reply)
      observeUnrouted(request, reply)
    },
    clientErrorHandler: (error, socket) => {
      const requestId = ids.next('request')
      const refused = connections.refuse(error, socket, requestId)
      if (!refused) return
      const { status, code, message, reason } = refused
      logger.warn({ requestId, status, code, reason }, message)
    },
  }).withTypeProvider()
  connections.watch(app.server)
  if (options.maxConnections !== undefined) app.server.maxConnections = options.maxConnections
  // Unknown expectations may be ignored (RFC 9110, section 10.1.1). Node.js would respond with an empty 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  if (options.tracer) addTracing(app, options.tracer)
  app.addHook('onRequest', (request, reply, done) => {
    connections.begin(request.raw, reply.raw)
    addCommonHeaders(request, reply)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(invalidInput('host', 'The header Host is missing.'))
    }
    // No id holds it, and PostgreSQL cannot even look for it.
    if (request.url.includes('%00')) return done(invalidInput('url', 'The URL contains a NUL character.'))
    done()
  })
  app.setErrorHandler(handleError)
  closeConnectionsOnClose(app)
  moveResponseSchemas(app)
  addNotFound(app, { hasDocs: options.docs !== undefined })
  addBodyParser(app)
  addGetBodies(app)
  addValidator(app)
  handleTogether(app)
  const { requestMetrics, observeUnrouted } = addObservation(app, logger)
  addAuthentication(app, options.authentication)
  addQuotas(app, { throttle, rates, clock })
  if (options.signing) await addRequestSigning(app, { clock, ...options.signing })
  if (options.docs) await addDocs(app, options.docs)
  refuseUndeclared(app)
  for (const routes of options.routes) routes(app)
  const metrics = [...requestMetrics, ...connections.metrics, ...(options.metrics ?? [])]
  if (options.measuresProcess) await measureProcess()
  addProbes(app, {
    checkDatabase: options.checkDatabase,
    isDraining: () => connections.isDraining,
    renderMetrics: createMetricsPage(metrics, options.metricsGroup),
  })
  return {
    app,
    drain: () => connections.drain(),
    async close() {
      connections.drain()
      await connections.finish(app.close())
    },
  }
}

/** Each line names what it needs, so a logger of its own for each request would only cost time. */
function withoutChildLoggers(logger: Logger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(logger, { child: { value: () => shared } })
  return shared
}

/** Without this, a client with a kept-alive connection would delay the end of the process. */
function closeConnectionsOnClose(app: App): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (closing) request.raw.socket.end()
    done()
  })
}

/**
 * Fastify makes a serializer for each schema of a response, and a list of them for each route with room for all statuses:
 * 3 KB, of which JSON.stringify needs nothing. A process may have 200 marketplaces with 150 routes each.
 */
function moveResponseSchemas(app: App): void {
  app.addHook('onRoute', (route) => {
    const { response, ...schema } = route.schema ?? {}
    if (!response) return
    route.schema = schema
    route.config = { ...route.config, responses: response as Record<string, unknown> }
  })
}

/** A route that forgot to say who may call it must not reach production. */
function refuseUndeclared(app: App): void {
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    if (!config?.access) throw new Error(`${method} ${url} does not declare who may call it`)
    if (!schema?.operationId) throw new Error(`${method} ${url} has no operation id`)
  })
}
