import type { FastifyRequest } from 'fastify'
import {
  type Caller,
  denied,
  isRestricted,
  opensResource,
  requireAccess,
  requireSameSeller,
  type TokenAccess,
  withRestrictedToken,
  withToken,
} from '../platform/auth/caller.ts'
import { markOf, matchesDigest } from '../platform/auth/digest.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { headerOf, isFromConsole } from './console-header.ts'
import { type App, addRouteHooks } from './route.ts'

const MAX_USER_AGENT_LENGTH = 500

export interface Authentication {
  /** Returns without a promise if it can. */
  verifyToken(token: string | undefined): Caller | Promise<Caller>
  /** Any of these keys is good. */
  operatorKeyDigests: readonly string[]
  /** Absent if the service has no console. */
  console?: ConsoleAuthentication
}

/** Whom the console calls for. It calls the same operations as applications and the operator, without their credentials. */
export interface ConsoleAuthentication {
  /** Throws unless the request belongs to a session that may call the operations of the operator. Returns who it is. */
  requireOperator(request: FastifyRequest): Promise<string>
  /** Throws unless the request belongs to a session that may call an operation with this access. */
  findCaller(request: FastifyRequest, access: TokenAccess): Promise<Caller>
}

/** Lets a request pass only with the credentials that its route declares, and says on it who calls. */
export function addAuthentication(
  app: App,
  { verifyToken, operatorKeyDigests, console: ofConsole }: Authentication,
): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('operator', undefined)
  addRouteHooks(app, ({ access, restricted, url }) => {
    if (access === 'operator') {
      return {
        onRequest: async (request: FastifyRequest) => {
          request.operator =
            ofConsole && isFromConsole(request)
              ? await ofConsole.requireOperator(request)
              : requireOperator(request, operatorKeyDigests)
        },
      }
    }
    if (typeof access !== 'object') return {}
    const operationPath = restricted && url.replace(/:(\w+)/g, '{$1}')
    return {
      onRequest: (request, _reply, done) => {
        const caller =
          ofConsole && isFromConsole(request)
            ? ofConsole.findCaller(request, access)
            : verifyToken(requireToken(request))
        if (!(caller instanceof Promise)) {
          authorize(request, caller, access, operationPath)
          return done()
        }
        caller.then((loaded) => authorize(request, loaded, access, operationPath)).then(() => done(), done)
      },
    }
  })
}

/** Throws unless the caller may call this operation on this path. */
function authorize(
  request: FastifyRequest,
  caller: Caller,
  access: TokenAccess,
  operationPath: string | undefined,
): void {
  requireAccess(caller, access)
  const { method } = request
  const parameters = request.params as Record<string, string>
  // The operation that the router found is compared, not the text of the address: no spelling of an address can be
  // one operation for the token and another for the router.
  if (isRestricted(caller) && !opensResource(caller, { method, operationPath, parameters })) {
    const path = pathOf(request)
    throw denied(`The restricted data token was not issued for ${method} ${path}.`, undefined, () => ({
      rule: 'A restricted data token opens only the resources that it was issued for.',
      facts: { issuedFor: caller.restrictedTo, method, path },
      change: operationPath === undefined ? withToken() : withRestrictedToken(`${method} ${path}`),
    }))
  }
  const { sellerId } = parameters
  if (sellerId !== undefined) requireSameSeller(caller, sellerId)
  refuseLongUserAgent(request.headers['user-agent'])
  request.caller = caller
}

/** The live service rejects these, so a client should learn it here. */
function refuseLongUserAgent(userAgent: string | undefined): void {
  if (userAgent === undefined || userAgent.length <= MAX_USER_AGENT_LENGTH) return
  throw new ApiError(
    'InvalidInput',
    `The header User-Agent must not have more than ${MAX_USER_AGENT_LENGTH} characters.`,
    '',
    {
      explain: () => ({
        rule: `The header User-Agent has at most ${MAX_USER_AGENT_LENGTH} characters.`,
        facts: { characters: userAgent.length },
        change: { headers: { 'user-agent': userAgent.slice(0, MAX_USER_AGENT_LENGTH) } },
      }),
    },
  )
}

const tokenOf = (request: FastifyRequest) =>
  headerOf(request, 'x-amz-access-token') ?? headerOf(request, 'x-svc-access-token')

/** Clients of other APIs send it as Authorization. Without any, what verifies it refuses the request. */
function requireToken(request: FastifyRequest): string | undefined {
  const token = tokenOf(request)
  if (token === undefined && /^Bearer +Atz/.test(headerOf(request, 'authorization') ?? '')) throw tokenElsewhere()
  return token
}

// Apart from the above: the log keeps the explanation, which must not keep the request and its connection.
const tokenElsewhere = () =>
  denied(
    'The access token is missing: send it in the header x-amz-access-token.',
    'The request has one in the header Authorization, which is for signatures.',
    () => ({
      rule: 'The operation takes an access token in the header x-amz-access-token.',
      facts: { 'x-amz-access-token': null, sentIn: 'the header Authorization' },
      change: { headers: { 'x-amz-access-token': '<the token of the header Authorization>' } },
    }),
  )

function requireOperator(request: FastifyRequest, keyDigests: readonly string[]): string {
  const [, key] = /^Bearer (.+)$/i.exec(headerOf(request, 'authorization') ?? '') ?? []
  if (key === undefined) {
    throw denied('The operator key is missing: send it as Authorization: Bearer <key>.', undefined, () => ({
      rule: 'The operator API takes the operator key in the header Authorization.',
      facts: { authorization: null },
      change: { headers: { authorization: 'Bearer <the operator key>' } },
    }))
  }
  const keyDigest = keyDigests.find((one) => matchesDigest(key, one))
  if (keyDigest === undefined) {
    throw denied('The operator key is invalid.', undefined, () => ({
      facts: { isOperatorKey: false },
      change: { headers: { authorization: 'Bearer <the operator key>' } },
    }))
  }
  return `key:${markOf(keyDigest)}`
}

export function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
