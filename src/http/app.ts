import { type FastifyBaseLogger, fastify, LogController } from 'fastify'
import type { Clock } from '../platform/clock/port.ts'
import { invalidInput } from '../platform/errors/api-error.ts'
import type { Ids } from '../platform/ids/port.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Throttle } from '../platform/throttle/port.ts'
import { type Authentication, addAuthentication } from './authentication.ts'
import { addBodyParser } from './body-parser.ts'
import { answerClientError } from './client-error.ts'
import { addCommonHeaders } from './common-headers.ts'
import { addDocs } from './docs.ts'
import { handleError } from './error-handler.ts'
import { addGetBodies } from './get-body.ts'
import { addNotFound } from './not-found.ts'
import { addObservation } from './observation.ts'
import { addProbes } from './probes.ts'
import { createQueryParser } from './query-parser.ts'
import { addQuotas, type Rates } from './quotas.ts'
import { addRequestSigning, type RequestSigning } from './request-signing.ts'
import type { App, Routes } from './route.ts'
import { addValidator } from './validator.ts'

export interface AppOptions {
  version: string
  clock: Clock
  ids: Ids
  logger: Logger
  throttle: Throttle
  rates: Rates
  authentication: Authentication
  /** Absent where signatures are not asked for. */
  signing?: Omit<RequestSigning, 'clock'>
  reachDatabase(): Promise<unknown>
  timeouts?: Partial<Timeouts>
  routes: Routes[]
}

interface Timeouts {
  headersMilliseconds: number
  requestMilliseconds: number
}

const LONGEST_PATH_PARAMETER = 1000
const defaultTimeouts: Timeouts = { headersMilliseconds: 15_000, requestMilliseconds: 60_000 }

/** Builds the HTTP edge around the routes it is given. It listens to nothing yet. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { clock, ids, logger, throttle, rates } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const app: App = fastify({
    loggerInstance: sharedByAll(logger),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => ids.next('request'),
    exposeHeadRoutes: false,
    requestTimeout: timeouts.requestMilliseconds,
    http: {
      headersTimeout: timeouts.headersMilliseconds,
      connectionsCheckingInterval: Math.min(5_000, timeouts.headersMilliseconds),
      // Most requests have no body: Node.js then makes no stream of it.
      optimizeEmptyRequests: true,
    },
    routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER, querystringParser: createQueryParser() },
    frameworkErrors: (error, request, reply) => {
      handleError(error, request, reply)
      observeUnrouted(request, reply)
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, ids.next('request')),
  }).withTypeProvider()

  app.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply)
    // No id holds it, and PostgreSQL cannot even look for it.
    if (request.url.includes('%00')) return done(invalidInput('url', 'The address holds the character NUL.'))
    done()
  })
  app.setErrorHandler(handleError)
  closeConnectionsWhenClosing(app)
  // Answers are built by our own operations; the schemas of responses are for readers and tests, not for filtering.
  app.setSerializerCompiler(() => JSON.stringify)
  addNotFound(app)
  addBodyParser(app)
  addGetBodies(app)
  addValidator(app)
  const { registry, observeUnrouted } = addObservation(app, logger)
  addAuthentication(app, options.authentication)
  addQuotas(app, throttle, rates)
  if (options.signing) await addRequestSigning(app, { clock, ...options.signing })
  await addDocs(app, options.version)
  refuseUndeclared(app)
  for (const routes of options.routes) routes(app)
  addProbes(app, registry, options.reachDatabase)
  return app
}

/** Each line names what it needs, so a logger of its own for each request would only cost time. */
function sharedByAll(logger: Logger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(logger, { child: { value: () => shared } })
  return shared
}

/** A client that keeps its connection open would otherwise keep us from ending after its last answer. */
function closeConnectionsWhenClosing(app: App): void {
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
