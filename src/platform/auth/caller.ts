import { ApiError } from '../errors/api-error.ts'

export const SCOPES = [
  'sellingpartnerapi::notifications',
  'sellingpartnerapi::migration',
  'sellingpartnerapi::client_credential:rotation',
] as const
export type Scope = (typeof SCOPES)[number]

/** One resource that a restricted data token opens. The path may hold `{name}` for any one segment. */
export interface RestrictedResource {
  method: string
  path: string
  dataElements?: string[]
}

/** An application acting for a seller. */
export interface SellerCaller {
  kind: 'seller'
  applicationId: string
  sellerId: string
  /** Set on a restricted data token: the only resources that it opens. */
  restrictedTo?: readonly RestrictedResource[]
}

/** An application acting for itself, with no seller: a grantless token. */
export interface GrantlessCaller {
  kind: 'grantless'
  applicationId: string
  scopes: readonly string[]
}

export type Caller = SellerCaller | GrantlessCaller

/** Which tokens an operation takes: a seller's, a grantless one of a scope, or either of the two. */
export type TokenAccess = { seller: true; scope?: Scope } | { seller?: never; scope: Scope }

export function denied(details: string): ApiError {
  return new ApiError('Unauthorized', 'Access to the requested resource is denied.', details)
}

/** Throws unless the token is of a kind that the operation takes. */
export function requireAccess(caller: Caller, access: TokenAccess): void {
  if (caller.kind === 'seller') {
    if (access.seller) return
    throw denied(`This operation takes a grantless access token with the scope ${access.scope}, not a seller's.`)
  }
  if (access.scope && caller.scopes.includes(access.scope)) return
  if (access.scope) throw denied(`The grantless access token lacks the scope ${access.scope}.`)
  throw denied("This operation takes a seller's access token, not a grantless one.")
}

type RestrictedCaller = SellerCaller & Required<Pick<SellerCaller, 'restrictedTo'>>

/** Whether it comes with a restricted data token. */
export function isRestricted(caller: Caller): caller is RestrictedCaller {
  return caller.kind === 'seller' && caller.restrictedTo !== undefined
}

/** Throws when a restricted data token is used for a resource other than those it was asked for. */
export function requireUnrestricted(caller: RestrictedCaller, method: string, path: string): void {
  if (caller.restrictedTo.some((resource) => resource.method === method && pathMatches(resource.path, path))) return
  throw denied(`The restricted data token was not issued for ${method} ${path}.`)
}

function pathMatches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => segment === given[index] || /^\{[^{}]+\}$/.test(segment))
  )
}

/** Throws when the seller named in a path is not the one that the token speaks for. */
export function requireSameSeller(caller: Caller, sellerId: string): void {
  if (caller.kind === 'seller' && caller.sellerId === sellerId) return
  throw denied(`The access token does not belong to the seller ${sellerId}.`)
}
