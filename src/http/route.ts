import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyTypeProvider,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
  onResponseHookHandler,
  RawServerDefault,
} from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import type { Caller, GrantlessCaller, SellerCaller, TokenAccess } from '../platform/auth/caller.ts'
import type { JsonText } from '../platform/json-text.ts'
import type { LoggedError } from '../platform/logging/request-log.ts'
import type { Rate } from '../platform/throttle/port.ts'
import { REASON_HEADER } from './reason-header.ts'

/**
 * Derives the types of requests and responses from their schemas. Defined here because the published types use it and
 * must not depend on a package that is not installed.
 */
interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

export type FastifyApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  SchemaTypes
>

/** What routes may use of the framework, which they share with other marketplaces. */
export type App = Pick<
  FastifyApp,
  'get' | 'post' | 'put' | 'patch' | 'delete' | 'route' | 'addHook' | 'decorateRequest' | 'server' | 'openApiDocument'
>

/** A group of routes, ready to be added to the app. */
export type Routes = (app: App) => void

/** What the caller's bucket had left after a request. */
export interface LoggedQuota {
  rate: Rate
  left: number
}

declare module 'fastify' {
  /** The properties of an operation that its route declares besides its schema. */
  interface FastifyContextConfig {
    access?: 'public' | 'operator' | TokenAccess
    /** Accept a restricted data token that names the resource. Other operations refuse restricted data tokens. */
    restricted?: true
    rate?: Rate
    /** Verify the AWS Signature Version 4 if the operator requires signed requests. */
    signed?: true
    /** Accept a form body as well as JSON, and return errors in the OAuth 2.0 format. */
    oauth?: true
    /** Parse the JSON body of a GET, which other routes ignore. */
    bodyOnGet?: true
    /** Hand the body over as it came, whatever its content type. */
    bodyAsBytes?: true
    /** Return an error for each violation of the body, instead of the first. */
    listsViolations?: true
    /** Runs while no other request does, which it sees to itself. */
    exclusive?: true
    /** Is served while a request runs exclusively, too. */
    ungated?: true
    /** Serves all paths below another that no other route serves, so it has no part in errors about methods and paths. */
    fallback?: true
    /** Return errors in the S3 format. */
    storage?: true
    /** The schemas of the responses by status. Set by the app, which takes them out of the schema of the route. */
    responses?: Record<string, unknown>
    /** The one message that the specification has for every invalid request, without details. */
    invalidInputMessage?: string
  }
  interface FastifyRequest {
    caller: Caller | undefined
    /** Who acts as the operator, by which key or account. Set by authentication on operations of the operator. */
    operator: string | undefined
    /** The body as it came, kept only where a signature covers it or the request is logged. */
    rawBody: Buffer | undefined
    /** The JSON body of a GET, on the routes that declare it. */
    bodyOnGet: unknown
    /** Set by the error handler, for the log. */
    loggedError: LoggedError | undefined
    /** What was thrown, set by the error handler for the request log of the stand-in. */
    thrown: unknown
    /** The fault rule of the stand-in that hit this request. */
    faultId: string | undefined
    /** Whether the stand-in logs this request: the body and the state of the quota are then kept for it. */
    isLogged: boolean
    /** The state of the caller's bucket after this request took from it, if the request is logged. */
    quota: LoggedQuota | undefined
  }
}

/** Who calls an operation that takes sellers' tokens only. */
export function sellerOf(request: FastifyRequest): SellerCaller {
  if (request.caller?.kind !== 'seller') throw new Error('This route does not declare that it needs a seller')
  return request.caller
}

/** Who calls an operation that takes grantless tokens only. */
export function grantlessOf(request: FastifyRequest): GrantlessCaller {
  if (request.caller?.kind !== 'grantless') throw new Error('This route does not declare that it needs a scope')
  return request.caller
}

/** Who calls an operation that takes both kinds of tokens. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('This route does not declare which tokens it takes')
  return request.caller
}

/** The rest of the path on a route that ends with `*`, decoded. */
export const restOf = ({ params }: FastifyRequest): string => (params as { '*': string })['*']

/** The path of a route whose rest has no name in the router. It has the name of the last parameter of the schema. */
export function namedPath(url: string, schema: { params?: unknown } | undefined): string {
  const { properties = {} } = (schema?.params ?? {}) as { properties?: object }
  return url.replace('*', `:${Object.keys(properties).at(-1) ?? 'key'}`)
}

/** Sends JSON text as if it were the value. */
export function sendJsonText<Body>(reply: FastifyReply, text: JsonText | Promise<JsonText>): Promise<Body> {
  reply.type('application/json; charset=utf-8')
  return text as unknown as Promise<Body>
}

/** What a route says of itself, its operation's name included. */
export interface RouteInfo extends FastifyContextConfig {
  operation: string
  method: string
  url: string
  takesBody: boolean
  /** How many bytes the body may have; undefined where the route takes none. */
  bodyLimit: number | undefined
}

export interface RouteHooks {
  onRequest?: onRequestHookHandler | onRequestAsyncHookHandler
  onResponse?: onResponseHookHandler
}

/**
 * Gives every route that is registered from now on hooks made for its own facts. A hook for all routes would have to
 * ask each request for the config of its route, which the framework collects again at each call.
 */
export function addRouteHooks(app: App, makeHooks: (facts: RouteInfo) => RouteHooks): void {
  app.addHook('onRoute', (route) => {
    const { operationId = 'unknown', body } = route.schema ?? {}
    const { onRequest, onResponse } = makeHooks({
      ...route.config,
      operation: operationId,
      method: String(route.method),
      url: route.url,
      takesBody: body !== undefined,
      bodyLimit: route.bodyLimit,
    })
    if (onRequest) route.onRequest = [route.onRequest ?? [], onRequest as onRequestHookHandler].flat()
    if (onResponse) route.onResponse = [route.onResponse ?? [], onResponse].flat()
  })
}

/** How the OpenAPI document describes the header `x-souk-reason`. */
export const reasonHeader = {
  [REASON_HEADER]: Type.String({
    description:
      'The exact cause, also where `details` is empty. Percent-encoded UTF-8 of at most 1,000 characters; absent where ' +
      'there is nothing to add.',
  }),
}

const ErrorList = Type.Object(
  {
    errors: Type.Array(
      Type.Object({ code: Type.String(), message: Type.String(), details: Type.Optional(Type.String()) }),
    ),
  },
  {
    description: 'Errors. See [Errors](/docs/errors).',
    headers: reasonHeader,
  },
)

/** The error responses of every operation. */
export const errorResponses = { '4xx': ErrorList, '5xx': ErrorList } as const
