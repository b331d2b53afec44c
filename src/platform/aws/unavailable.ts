import { DeadlineError } from '../deadline.ts'
import { UnavailableError } from '../errors/unavailable-error.ts'

// Of the network: nobody listens, nobody is found, or the connection broke.
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

// The certificate of the other side has expired, or is of another host.
const TLS_CODE = /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/

const NAMES = new Set([
  // The client's own.
  'TimeoutError',
  'CredentialsProviderError',
  'TokenProviderError',
  // The other side has too much to do. Some services say so with a status of 400.
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
  // Our credentials have expired, are wrong, or do not allow it; or the bucket is gone. No other call would fare better
  // until the operator has mended it.
  'ExpiredToken',
  'ExpiredTokenException',
  'RequestExpired',
  'RequestTimeTooSkewed',
  'TokenRefreshRequired',
  'NoSuchBucket',
])
const STATUSES = new Set([401, 403, 408, 429])

/** The error as the rest of Souk knows it: an UnavailableError where the service, not what was asked of it, is to blame. */
export function toUnavailableError(service: string, error: unknown): unknown {
  if (error instanceof UnavailableError || !(error instanceof Error) || !isOutage(error)) return error
  return new UnavailableError(`${service} cannot be used: ${error.name}: ${error.message}`, { cause: error })
}

function isOutage(error: Error & { code?: unknown; $metadata?: { httpStatusCode?: number } }): boolean {
  if (error instanceof DeadlineError || NAMES.has(error.name)) return true
  if (typeof error.code === 'string' && (NETWORK_CODES.has(error.code) || TLS_CODE.test(error.code))) return true
  const status = error.$metadata?.httpStatusCode
  return status !== undefined && (status >= 500 || STATUSES.has(status))
}
