import { DeadlineError } from '../deadline.ts'
import { UnavailableError } from '../errors/unavailable-error.ts'

// Network errors: connection refused, host not found, or connection lost.
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ERR_STREAM_PREMATURE_CLOSE',
])

// The certificate of the server has expired or belongs to another host.
const TLS_CODE = /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/

const NAMES = new Set([
  // Errors of the client itself.
  'TimeoutError',
  'CredentialsProviderError',
  'TokenProviderError',
  // The service is throttling. Some services use status 400 for it.
  'RequestThrottled',
  'RequestThrottledException',
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'BandwidthLimitExceeded',
  'SlowDown',
  'RequestTimeout',
  'RequestTimeoutException',
  // The credentials have expired, are wrong or lack a permission. All calls fail until the operator fixes it.
  'ExpiredToken',
  'ExpiredTokenException',
  'RequestExpired',
  'RequestTimeTooSkewed',
  'TokenRefreshRequired',
])
const STATUSES = new Set([401, 403, 408, 429])

/** Converts errors of the service, not of the request, to an UnavailableError. */
export function toUnavailableError(service: string, error: unknown): unknown {
  if (error instanceof UnavailableError || !(error instanceof Error) || !isOutage(error)) return error
  return new UnavailableError(`${service} is not usable: ${error.name}: ${error.message}`, { cause: error })
}

function isOutage(error: Error & { code?: unknown; $metadata?: { httpStatusCode?: number } }): boolean {
  if (error instanceof DeadlineError || NAMES.has(error.name)) return true
  if (typeof error.code === 'string' && (NETWORK_CODES.has(error.code) || TLS_CODE.test(error.code))) return true
  const status = error.$metadata?.httpStatusCode
  return status !== undefined && (status >= 500 || STATUSES.has(status))
}
