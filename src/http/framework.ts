import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type RouteHandlerMethod,
  type RouteOptions,
} from 'fastify'
import { addBodyParser } from './body-parser.ts'
import { handleError } from './error-handler.ts'
import { buildParts } from './framework-parts.ts'
import { addGetBodies } from './get-body.ts'
import { handleTogether } from './handle-together.ts'
import { createNotFound } from './not-found.ts'
import { type Document, generateDocument } from './openapi.ts'
import { passingCompilers } from './passing-compilers.ts'
import { createQueryParser } from './query-parser.ts'
import type { Hooks, Plan, RequestHook, RouteSteps } from './registration.ts'
import type { FastifyApp } from './route.ts'
import { type Done, runHooks, runPayloadHooks, type Step } from './run-hooks.ts'
import { addValidator } from './validator.ts'

// Fastify with 225 routes takes 30 ms and 1.4 MB, and a process may have 200 marketplaces. So those with equal plans
// have one. It runs the handler and the hooks of the marketplace that received the request. It has no server, no state
// besides caches of pure functions and no reference to a marketplace, and it is never closed.

/** The marketplace that received a request. */
export interface Owner {
  /** Of requests without a route. */
  hooks: Hooks
  /** By the place of the route in the plan. */
  routes: readonly RouteSteps[]
  logger: FastifyBaseLogger
  newRequestId(): string
  /** Responds to a request that the framework refuses before it looks for a route, and therefore runs no hooks for. */
  refuse(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void
}

const OWNER = Symbol('owner')
type Owned = IncomingMessage & { [OWNER]: Owner }

const ownerOf = (request: IncomingMessage) => (request as Owned)[OWNER]

export interface Framework {
  serve(owner: Owner, request: IncomingMessage, response: ServerResponse): void
  /** The OpenAPI document of the routes. */
  document(): Promise<Document>
}

// Tests and tools use few sets of options. A marketplace keeps the one that it uses.
const MAX_KEPT = 4
const MAX_PATH_PARAMETER_LENGTH = 1000

const kept: { plan: Plan; framework: Promise<Framework> }[] = []

/** Returns the framework of an equal plan, or builds one. */
export function frameworkFor(plan: Plan): Promise<Framework> {
  const index = kept.findIndex((one) => isEqual(one.plan, plan))
  const [found] = index === -1 ? [] : kept.splice(index, 1)
  const used = found ?? { plan, framework: buildFramework(plan) }
  kept.unshift(used)
  kept.length = Math.min(kept.length, MAX_KEPT)
  return used.framework
}

/**
 * Functions are equal if they are the same. Ten times as fast as isDeepStrictEqual, because most schemas are the same
 * objects for all marketplaces.
 */
function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  // Of other objects, such as a Map, equal keys do not mean equal content.
  if (!isPlain(one) || !isPlain(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length || Array.isArray(one) !== Array.isArray(other)) return false
  for (const key of keys) {
    const [value, otherValue] = [one[key as never], other[key as never]]
    if (value !== otherValue && !isEqual(value, otherValue)) return false
    if (value === undefined && !(key in other)) return false
  }
  return true
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}

async function buildFramework(plan: Plan): Promise<Framework> {
  const notFound = createNotFound(plan)
  const documented: RouteOptions[] = []
  const build = async (isIncluded: (url: string) => boolean) => {
    const routes = [...plan.routes.entries()].filter(([, { url }]) => isIncluded(url))
    const { app, added } = buildApp(plan, routes, notFound)
    await app.ready()
    for (const [place, [index]] of routes.entries()) documented[index] = added[place] as RouteOptions
    return app
  }
  const parts = await buildParts(build)
  let document: Promise<Document> | undefined
  return {
    serve(owner, request, response) {
      ;(request as Owned)[OWNER] = owner
      parts.serve(request, response)
    },
    document() {
      document ??= parts.complete().then(() => generateDocument(documented, plan.docsVersion ?? ''))
      return document
    },
  }
}

/** Routes come with their places in the plan. */
function buildApp(
  { trustedProxies, decorations, hooks }: Plan,
  routes: readonly [index: number, route: Plan['routes'][number]][],
  notFound: RouteHandlerMethod,
) {
  const app: FastifyApp = fastify({
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => ownerOf(request as IncomingMessage).newRequestId(),
    exposeHeadRoutes: false,
    // Others could choose their address, and so avoid limits per client or have another client locked.
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // Our own operations build responses; their schemas are for readers and tests, not for filtering.
    schemaController: passingCompilers,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_LENGTH, querystringParser: createQueryParser() },
    frameworkErrors: (error, request, reply) => {
      log(request, reply)
      ownerOf(request.raw).refuse(error, request, reply)
    },
  }).withTypeProvider()
  app.setErrorHandler(handleError)
  moveResponseSchemas(app)
  // As a plugin, because the lists of the routes have these hooks, too.
  app.register(async (unrouted) => {
    for (const name of hooks) unrouted.addHook(name, runnerOf(name, ({ raw }) => ownerOf(raw).hooks) as never)
    unrouted.setNotFoundHandler(notFound)
  })
  addBodyParser(app)
  addGetBodies(app)
  addValidator(app)
  handleTogether(app)
  const added: RouteOptions[] = []
  app.addHook('onRoute', (route) => void added.push(route))
  for (const [name, value] of decorations) app.decorateRequest(name, value)
  for (const [index, route] of routes) app.route(toRoute(route, index))
  return { app, added }
}

/** Each line names what it needs, so a logger of its own for each request would only cost time. */
function log(request: FastifyRequest, reply: FastifyReply): void {
  const { logger } = ownerOf(request.raw)
  request.log = logger
  reply.log = logger
}

function toRoute({ hooks, ...route }: Plan['routes'][number], index: number): RouteOptions {
  const stepsOf = (request: FastifyRequest) => ownerOf(request.raw).routes[index] as RouteSteps
  return {
    ...route,
    // A copy, because Fastify marks schemas that it has seen, and plans are compared later.
    ...(route.schema && { schema: { ...route.schema } }),
    ...Object.fromEntries(hooks.map((name) => [name, runnerOf(name, stepsOf)])),
    handler: (request, reply) => stepsOf(request).handler(request, reply),
  }
}

type Runner = (request: FastifyRequest, reply: FastifyReply, third: unknown, fourth: unknown) => void

/** A hook that runs those of the marketplace. */
function runnerOf(name: RequestHook, hooksOf: (request: FastifyRequest) => Hooks): Runner {
  const listOf = (request: FastifyRequest) => hooksOf(request)[name] as Step[]
  if (name === 'preParsing' || name === 'onSend') {
    return (request, reply, payload, done) => runPayloadHooks(listOf(request), request, reply, payload, done as Done)
  }
  if (name === 'onResponse') {
    return (request, reply, done) => runHooks(listOf(request), request, reply, done as Done, { isAfterResponse: true })
  }
  return (request, reply, done) => {
    if (name === 'onRequest') log(request, reply)
    runHooks(listOf(request), request, reply, done as Done, { isAfterResponse: false })
  }
}

/**
 * Fastify makes a serializer for each schema of a response, and a list of them for each route with room for all statuses, of
 * which JSON.stringify needs nothing.
 */
function moveResponseSchemas(app: FastifyApp): void {
  app.addHook('onRoute', (route) => {
    const { response, ...schema } = route.schema ?? {}
    if (!response) return
    route.schema = schema
    route.config = { ...route.config, responses: response as Record<string, unknown> }
  })
}
