import type { FastifyRequest } from 'fastify'
import {
  type Caller,
  denied,
  isRestricted,
  requireAccess,
  requireSameSeller,
  requireUnrestricted,
  type TokenAccess,
} from '../platform/auth/caller.ts'
import { matchesDigest } from '../platform/auth/digest.ts'
import type { App } from './route.ts'

export interface Authentication {
  verifyToken(token: string | undefined): Promise<Caller>
  operatorKeyDigest: string
}

/** Lets a request pass only with the credentials that its route declares, and says on it who calls. */
export function addAuthentication(app: App, { verifyToken, operatorKeyDigest }: Authentication): void {
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (access === 'operator') requireOperator(request, operatorKeyDigest)
    else if (typeof access === 'object') request.caller = await authenticate(request, access)
  })

  async function authenticate(request: FastifyRequest, access: TokenAccess): Promise<Caller> {
    const caller = await verifyToken(header(request, 'x-amz-access-token') ?? header(request, 'x-svc-access-token'))
    requireAccess(caller, access)
    if (isRestricted(caller)) requireUnrestricted(caller, request.method, pathOf(request))
    const { sellerId } = request.params as { sellerId?: string }
    if (sellerId !== undefined) requireSameSeller(caller, sellerId)
    return caller
  }
}

function requireOperator(request: FastifyRequest, keyDigest: string): void {
  const [, key] = /^Bearer (.+)$/i.exec(header(request, 'authorization') ?? '') ?? []
  if (key === undefined) throw denied('The operator key is missing: send it as Authorization: Bearer <key>.')
  if (!matchesDigest(key, keyDigest)) throw denied('The operator key is wrong.')
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
