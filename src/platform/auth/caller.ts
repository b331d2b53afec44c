import { ApiError } from '../errors/api-error.ts'
import type { Explain, RequestChange } from '../errors/explanation.ts'

export const SCOPES = [
  'sellingpartnerapi::notifications',
  'sellingpartnerapi::migration',
  'sellingpartnerapi::client_credential:rotation',
] as const
export type Scope = (typeof SCOPES)[number]

/** One resource that a restricted data token opens. */
export interface RestrictedResource {
  method: string
  /** The path of a restricted operation, with `{name}` for each of its parameters. */
  path: string
  /** The values that parameters of the path must have. A parameter that is absent may have any value. */
  parameters?: Readonly<Record<string, string>>
  dataElements?: readonly string[]
}

/** An application acting for a seller. */
export interface SellerCaller {
  kind: 'seller'
  /** The application that uses the token. With a delegated token, this is not the one that the seller authorized. */
  applicationId: string
  sellerId: string
  /** Set on a restricted data token: the only resources that it opens. */
  restrictedTo?: readonly RestrictedResource[]
  /** Set on requests of the console, which shows a seller everything that is the seller's. */
  isConsole?: true
}

/** An application acting for itself, with no seller: a grantless token. */
export interface GrantlessCaller {
  kind: 'grantless'
  applicationId: string
  scopes: readonly string[]
  /** Set on requests of the console. */
  isConsole?: true
}

export type Caller = SellerCaller | GrantlessCaller

/** What the console creates for a seller belongs to this application, which cannot be registered. */
export const CONSOLE_APPLICATION = 'souk-console'

/** Which tokens an operation takes: a seller's, a grantless one of a scope, or either of the two. */
export type TokenAccess = { seller: true; scope?: Scope } | { seller?: never; scope: Scope }

/** The remedy goes into the reason only: clients look at the details. */
export function denied(details: string, remedy?: string, explain?: Explain): ApiError {
  const reason = remedy === undefined ? details : `${details} ${remedy}`
  return new ApiError('Unauthorized', 'Access to the requested resource is denied.', details, {
    reason,
    ...(explain && { explain }),
  })
}

/** How to get the token that an operation takes. */
const FROM_REFRESH_TOKEN = 'POST /auth/o2/token with grant_type=refresh_token'
const fromScope = (scope: string) => `POST /auth/o2/token with grant_type=client_credentials and scope=${scope}`

/** The same request with another token. */
export const withToken = (first = FROM_REFRESH_TOKEN): RequestChange => ({
  headers: { 'x-amz-access-token': '<the new token>' },
  first,
})

/** The same request with a restricted data token. */
export const withRestrictedToken = (resource = 'it') =>
  withToken(`POST /tokens/2021-03-01/restrictedDataToken with restrictedResources that include ${resource}`)

/** Throws unless the token is of a kind that the operation takes. */
export function requireAccess(caller: Caller, access: TokenAccess): void {
  if (caller.kind === 'seller') {
    if (access.seller) return
    throw denied(
      `This operation requires a grantless access token with the scope ${access.scope}, not a seller's.`,
      `Get one from ${fromScope(access.scope)}.`,
      () => ({
        rule: `The operation takes a grantless access token with the scope ${access.scope}.`,
        facts: { kind: 'access token of a seller', requiredScope: access.scope },
        change: withToken(fromScope(access.scope)),
      }),
    )
  }
  if (access.scope && caller.scopes.includes(access.scope)) return
  const { scope } = access
  if (scope) {
    throw denied(`The grantless access token lacks the scope ${scope}.`, undefined, () => ({
      rule: 'The scopes of a grantless access token must include that of the operation.',
      facts: { scopes: caller.scopes, requiredScope: scope },
      change: withToken(fromScope(scope)),
    }))
  }
  throw denied(
    "This operation requires a seller's access token, not a grantless one.",
    `Get one from ${FROM_REFRESH_TOKEN}.`,
    () => ({
      rule: "The operation takes a seller's access token.",
      facts: { kind: 'grantless access token', scopes: caller.scopes },
      change: withToken(),
    }),
  )
}

type RestrictedCaller = SellerCaller & Required<Pick<SellerCaller, 'restrictedTo'>>

/** Whether it comes with a restricted data token. */
export function isRestricted(caller: Caller): caller is RestrictedCaller {
  return caller.kind === 'seller' && caller.restrictedTo !== undefined
}

/** A request to an operation, as a restricted data token may name it. */
export interface ResourceRequest {
  method: string
  /** The path of the operation with `{name}` for each parameter; absent if the operation is not a restricted one. */
  operationPath: string | undefined
  /** Decoded, so that two spellings of a value are the same value. */
  parameters: Readonly<Record<string, string>>
}

/** Whether the restricted data token names this resource of a restricted operation. */
export const opensResource = (caller: RestrictedCaller, request: ResourceRequest) =>
  caller.restrictedTo.some((resource) => isOpenedBy(request, resource))

const isOpenedBy = ({ method, operationPath, parameters }: ResourceRequest, resource: RestrictedResource) =>
  operationPath !== undefined &&
  resource.method === method &&
  resource.path === operationPath &&
  Object.entries(resource.parameters ?? {}).every(([name, value]) => parameters[name] === value)

export const DATA_ELEMENTS = ['buyerInfo', 'shippingAddress', 'buyerTaxInformation'] as const
const NO_ELEMENTS: ReadonlySet<string> = new Set()
const ALL_ELEMENTS: ReadonlySet<string> = new Set(DATA_ELEMENTS)

/** Whether operations that return nothing but personal data are open to the caller at all. */
export const mayReadPersonalData = (caller: SellerCaller): boolean => caller.isConsole === true || isRestricted(caller)

/** The personal data of this resource that is open to the caller: none with an ordinary access token. */
export function dataElementsOf(caller: SellerCaller, request: ResourceRequest): ReadonlySet<string> {
  if (caller.isConsole) return ALL_ELEMENTS
  if (!isRestricted(caller)) return NO_ELEMENTS
  const opened = caller.restrictedTo.filter((resource) => isOpenedBy(request, resource))
  return new Set(opened.flatMap(({ dataElements = [] }) => dataElements))
}

/**
 * Throws unless the caller's application created the thing, its creator is unknown, or the seller's console asks. Other
 * applications of the seller can read it, so its existence is no secret, and the error says why they may not change it.
 */
export function requireCreator(caller: SellerCaller, createdBy: string | undefined, what: string): void {
  if (createdBy === undefined || createdBy === caller.applicationId || caller.isConsole) return
  throw denied(
    `The ${what} was created by another application; only that application can cancel it.`,
    undefined,
    () => ({
      rule: `Only the application that created a ${what} can cancel it.`,
      facts: { application: caller.applicationId },
      noNearest: 'Send it with a token of the application that created it.',
    }),
  )
}

/** Throws when the seller named in a path is not the one that the token speaks for. */
export function requireSameSeller(caller: Caller, sellerId: string): void {
  if (caller.kind === 'seller' && caller.sellerId === sellerId) return
  const remedy = caller.kind === 'seller' ? `It belongs to the seller ${caller.sellerId}.` : undefined
  throw denied(`The access token does not belong to the seller ${sellerId}.`, remedy, () => ({
    rule: 'The seller in the path must be the seller of the access token.',
    facts: { sellerInPath: sellerId, sellerOfCaller: caller.kind === 'seller' ? caller.sellerId : null },
    change: caller.kind === 'seller' ? { replace: { [sellerId]: caller.sellerId } } : withToken(),
  }))
}
