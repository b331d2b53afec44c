import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyReply, FastifyRequest, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Clock } from '../platform/clock/port.ts'
import { invalidInput } from '../platform/errors/api-error.ts'
import type { Ids } from '../platform/ids/port.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Metric } from '../platform/metrics/port.ts'
import type { Rates } from '../platform/throttle/limits.ts'
import type { Throttle } from '../platform/throttle/port.ts'
import type { Tracer } from '../platform/tracing/port.ts'
import { type Authentication, addAuthentication } from './authentication.ts'
import type { ClientError } from './client-error.ts'
import { addCommonHeaders } from './common-headers.ts'
import { Connections } from './connections.ts'
import { createDateHeader } from './date-header.ts'
import { addDocs, type DocsOptions } from './docs.ts'
import { handleError } from './error-handler.ts'
import { frameworkFor, type Owner } from './framework.ts'
import { createMetricsPage, type MetricsGroup, measureProcess } from './metrics-page.ts'
import { addObservation } from './observation.ts'
import { addProbes } from './probes.ts'
import { addQuotas } from './quotas.ts'
import { toReachableHost } from './reachable-host.ts'
import { Registration } from './registration.ts'
import { addRequestSigning, type RequestSigning } from './request-signing.ts'
import type { App, Routes } from './route.ts'
import { runHooks } from './run-hooks.ts'
import { KeptHeadersResponse, setDate } from './sent-headers.ts'
import { defaultTimeouts, type Timeouts } from './timeouts.ts'
import { addTracing } from './tracing.ts'
import { withoutNul } from './without-nul.ts'

export interface EdgeOptions {
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
  /** Whether the header Date is that of the clock, which may be moved, and not the system's. Default: false. */
  sendsOwnDate?: boolean
  routes: Routes[]
}

const KEEP_ALIVE_MILLISECONDS = 72_000

/** The port of a marketplace, and what serves it. */
export interface Edge {
  /** Opens a port and returns its URL. */
  listen(address: { host: string; port: number }): Promise<string>
  /** Sends a request without a socket. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>
  /** Turns readiness off and has clients leave, while the port stays open. */
  drain(): void
  /** Closes the port, finishes what is under way, and cuts off what does not finish in time. */
  close(): Promise<void>
}

/** Creates a server for the routes it is given. It listens to nothing yet. */
export async function createEdge(options: EdgeOptions): Promise<Edge> {
  const { clock, ids, logger, throttle, rates, docs, trustedProxies = [] } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const connections = new Connections(timeouts)
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    headersTimeout: timeouts.headersMilliseconds,
    // Without a limit on the whole request: a large upload over a slow line takes as long as it takes.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(5_000, timeouts.headersMilliseconds),
    // Most requests have no body: Node.js then makes no stream of it.
    optimizeEmptyRequests: true,
    // Node.js would refuse without a body; the hook below says why.
    requireHostHeader: false,
    ServerResponse: KeptHeadersResponse,
  })
  connections.watch(server)
  if (options.maxConnections !== undefined) {
    // Without the second, processes that serve one port would pass a connection around until one has room for it.
    Object.assign(server, { maxConnections: options.maxConnections, dropMaxConnection: true })
  }
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const requestId = ids.next('request')
    const refused = connections.refuse(error, socket, requestId)
    if (!refused) return
    const { status, code, message, reason } = refused
    logger.warn({ requestId, status, code, reason }, message)
  })

  const registration = new Registration(
    { trustedProxies, docsVersion: docs?.version },
    { server, openApiDocument: () => framework.document() },
  )
  const { app } = registration
  if (options.tracer) addTracing(app, options.tracer)
  app.addHook('onRequest', (request, reply, done) => {
    connections.begin(request.raw, reply.raw)
    addCommonHeaders(request, reply)
    done()
  })
  // On each route, and not for all of them, so that the request log, which comes before it there, has what it refuses.
  app.addHook('onRoute', (route) => {
    route.onRequest = [refuseMalformed, route.onRequest ?? []].flat()
  })
  closeConnectionsOnClose(app)
  const requestMetrics = addObservation(app, logger)
  addAuthentication(app, options.authentication)
  addQuotas(app, { throttle, rates, clock })
  if (options.signing) await addRequestSigning(app, { clock, ...options.signing })
  if (docs) addDocs(app, docs)
  refuseUndeclared(app)
  for (const routes of options.routes) routes(app)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuseMalformed(request, reply, done)
    else done()
  })
  const metrics = [...requestMetrics, ...connections.metrics, ...(options.metrics ?? [])]
  if (options.measuresProcess) await measureProcess()
  addProbes(app, {
    checkDatabase: options.checkDatabase,
    isDraining: () => connections.isDraining,
    renderMetrics: createMetricsPage(metrics, options.metricsGroup),
  })

  const { plan, hooks, routes } = registration.finish()
  const framework = await frameworkFor(plan)
  const owner: Owner = {
    hooks,
    routes,
    logger,
    newRequestId: () => ids.next('request'),
    refuse(error, request, reply) {
      reply.raw.once('finish', () =>
        runHooks(hooks.onResponse ?? [], request, reply, () => {}, { isAfterResponse: true }),
      )
      const respond = (hookError: unknown) => handleError(hookError ?? error, request, reply)
      runHooks(hooks.onRequest ?? [], request, reply, respond, { isAfterResponse: false })
    },
  }
  const date = options.sendsOwnDate ? createDateHeader(clock) : undefined
  const serve: RequestListener = (request, response) => {
    if (date) setDate(response, date)
    framework.serve(owner, request, response)
  }
  server.on('request', serve)
  // Unknown expectations may be ignored (RFC 9110, section 10.1.1). Node.js would respond with an empty 417.
  server.on('checkExpectation', serve)
  let isClosed = false

  return {
    async listen({ host, port }) {
      server.listen(port, host)
      await once(server, 'listening')
      const { address, port: opened } = server.address() as AddressInfo
      return `http://${toReachableHost(address)}:${opened}`
    },
    async inject(request) {
      if (isClosed) throw new Error('The marketplace has stopped.')
      const { inject } = await import('light-my-request')
      return inject(serve, request)
    },
    drain: () => connections.drain(),
    async close() {
      connections.drain()
      await connections.finish(closeServer())
    },
  }

  async function closeServer(): Promise<void> {
    isClosed = true
    await registration.beforeClose()
    // Its callback has an error if it does not listen.
    await new Promise((resolve) => server.close(resolve))
    await registration.afterClose()
  }
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

/** A route that forgot to say who may call it must not reach production. */
function refuseUndeclared(app: App): void {
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    if (!config?.access) throw new Error(`${method} ${url} does not declare who may call it`)
    if (!schema?.operationId) throw new Error(`${method} ${url} has no operation id`)
  })
}

function refuseMalformed(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') done(missingHost())
  // No id holds it, and PostgreSQL cannot even look for it.
  else if (request.url.includes('%00')) done(nulInUrl(request.url))
  else done()
}

// Apart from the hook: the log keeps the explanations, which must not keep the request and its connection.
const missingHost = () =>
  invalidInput('host', 'The header Host is missing.', () => ({
    change: { headers: { host: '<the host of the URL>' } },
  }))

const nulInUrl = (url: string) =>
  invalidInput('url', 'The URL contains a NUL character.', () => ({ change: { url: withoutNul(url) } }))
