import { ApiError, type ErrorCode, errorStatus } from '../../platform/errors/api-error.ts'
import type { Explain } from '../../platform/errors/explanation.ts'
import { OAuthError, type OAuthErrorCode, oauthErrorStatus } from '../../platform/errors/oauth-error.ts'
import { StorageError, type StorageErrorCode, storageErrorStatus } from '../../platform/errors/storage-error.ts'

/** The format of an operation's errors. */
export type Envelope = 'api' | 'oauth' | 'storage'

/** What the gateway in front of the live service responds when the service behind it does not. */
export const gatewayMessages: Readonly<Record<number, string>> = {
  502: 'Internal server error',
  504: 'Endpoint request timed out',
}

const statuses: Readonly<Record<Envelope, Readonly<Record<string, number>>>> = {
  api: errorStatus,
  oauth: oauthErrorStatus,
  storage: storageErrorStatus,
}

/** The usual code where a status has several, and the message. */
const usual: Readonly<Record<Envelope, Readonly<Record<number, readonly [code: string, message: string]>>>> = {
  api: {
    400: ['InvalidInput', 'The request has missing or invalid parameters.'],
    403: ['Unauthorized', 'Access to the requested resource is denied.'],
    404: ['NotFound', 'The requested resource was not found.'],
    429: ['QuotaExceeded', 'You exceeded your quota for the requested resource.'],
    500: ['InternalFailure', 'We encountered an internal error. Please try again.'],
    503: ['ServiceUnavailable', 'The service is temporarily unavailable. Please try again.'],
  },
  oauth: {
    400: ['invalid_grant', 'The request has an invalid grant parameter : refresh_token'],
    401: ['invalid_client', 'Client authentication failed'],
    429: ['slow_down', 'Too many token requests'],
    500: ['server_error', 'The authorization server encountered an unexpected condition'],
    503: ['temporarily_unavailable', 'The authorization server is temporarily unavailable'],
  },
  storage: {
    400: ['RequestTimeout', 'The connection was idle for too long.'],
    403: ['AccessDenied', 'Access Denied'],
    404: ['NoSuchKey', 'The document was not found.'],
    500: ['InternalError', 'We encountered an internal error. Please try again.'],
    503: ['SlowDown', 'Please reduce your request rate.'],
  },
}

// Made once: rules ask for them with every request.
const possible = new Map(
  Object.entries(statuses).map(([envelope, codes]) => [envelope, codesByStatus(envelope, codes)]),
)

function codesByStatus(
  envelope: string,
  codes: Readonly<Record<string, number>>,
): ReadonlyMap<number, readonly string[]> {
  const gateway = envelope === 'api' ? Object.keys(gatewayMessages).map(Number) : []
  const all = [...new Set([...Object.values(codes), ...gateway])].sort((one, other) => one - other)
  const codesOf = (status: number) => Object.keys(codes).filter((code) => codes[code] === status)
  return new Map(all.map((status) => [status, codesOf(status)]))
}

export const isPossibleStatus = (envelope: Envelope, status: number): boolean =>
  possible.get(envelope)?.has(status) ?? false

/** Sorted. */
export const possibleStatuses = (envelope: Envelope): number[] => [...(possible.get(envelope)?.keys() ?? [])]

export const possibleCodes = (envelope: Envelope, status: number): readonly string[] =>
  possible.get(envelope)?.get(status) ?? []

export interface FaultResponse {
  status: number
  code?: string | undefined
  message?: string | undefined
  details?: string | undefined
  /** Sent in the header `x-souk-reason`. */
  reason: string
  explain: Explain
}

/** The error with which the error handler sends the response in the format of the operation. */
export function createError(
  envelope: Envelope,
  { status, code, message, details, reason, explain }: FaultResponse,
): Error {
  const [usualCode, usualMessage] = usual[envelope][status] ?? []
  const chosen = code ?? usualCode ?? possibleCodes(envelope, status)[0]
  const text = message ?? usualMessage ?? 'The request failed.'
  if (envelope === 'oauth') return new OAuthError(chosen as OAuthErrorCode, text, { reason, explain })
  if (envelope === 'storage') return new StorageError(chosen as StorageErrorCode, text, { explain })
  return new ApiError(chosen as ErrorCode, text, details, { reason, explain })
}
