import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode } from '../platform/errors/api-error.ts'
import { afterDoing, type Explanation, neverPasses } from '../platform/errors/explanation.ts'
import { OAuthError, type OAuthErrorCode } from '../platform/errors/oauth-error.ts'
import { joinSentences } from '../platform/errors/sentences.ts'
import { StorageError, type StorageErrorCode } from '../platform/errors/storage-error.ts'
import { UnavailableError } from '../platform/errors/unavailable-error.ts'
import { maskTokens } from '../platform/logging/mask-tokens.ts'
import { element } from '../platform/xml.ts'
import { addCommonHeaders } from './common-headers.ts'
import { encodeReason, REASON_HEADER } from './reason-header.ts'
import { redactQuery } from './redact-query.ts'

/** Converts any thrown error into the documented response. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  addCommonHeaders(request, reply)
  // Fastify closes the connection after a refused body. A client that is still sending would see a reset instead of the
  // response, so the rest of the body is discarded for a while.
  if (reply.hasHeader('connection')) reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close')
  const { oauth, storage, invalidInputMessage } = request.routeOptions?.config ?? {}
  const known = toApiError(error, request)
  // Errors of the framework do not explain themselves.
  request.thrown = known.explain ? known : error
  const apiError = withFixedMessage(known, invalidInputMessage)
  if (apiError.status >= 500) {
    request.log.error(
      { err: error, requestId: request.id, operation: request.routeOptions?.schema?.operationId },
      'request failed',
    )
  }
  if (error instanceof UnavailableError || (error instanceof ApiError && error.retryAfterSeconds !== undefined)) {
    reply.header('retry-after', error.retryAfterSeconds)
  }
  if (oauth) sendOAuthError(error instanceof OAuthError ? error : toOAuth(apiError))
  else if (storage || error instanceof StorageError)
    sendStorageError(error instanceof StorageError ? error : toStorage(apiError))
  else sendApiError()

  function sendApiError() {
    recordError(apiError.code, apiError)
    // Only an authenticated caller learns the quota.
    if (!STATUSES_WITH_RATE.has(apiError.status)) reply.removeHeader('x-amzn-ratelimit-limit')
    reply
      .code(apiError.status)
      .header('x-amzn-errortype', apiError.code)
      .type('application/json; charset=utf-8')
      .send(errorBody(apiError))
  }

  function sendOAuthError(oauthError: OAuthError) {
    // The description of an error that became an OAuth error may quote the body, which holds secrets.
    recordError(oauthError.code, error instanceof OAuthError ? error : apiError)
    if (oauthError.retryAfterSeconds !== undefined) reply.header('retry-after', oauthError.retryAfterSeconds)
    reply
      .code(oauthError.status)
      .type('application/json; charset=utf-8')
      .send({ error: oauthError.code, error_description: oauthError.message, request_id: request.id })
  }

  function sendStorageError({ status, code, message }: StorageError) {
    recordError(code, { message, reason: apiError.reason })
    const fields = element('Code', code) + element('Message', message) + element('RequestId', request.id)
    reply.code(status).type('application/xml').send(`<?xml version="1.0" encoding="UTF-8"?>\n<Error>${fields}</Error>`)
  }

  /** To the caller in a header, to the operator in the log line of the request. */
  function recordError(code: string, { message, reason }: { message: string; reason: string }) {
    if (reason) reply.header(REASON_HEADER, encodeReason(reason))
    request.loggedError = {
      query: redactQuery(request.url),
      code,
      message: maskTokens(message),
      reason: maskTokens(reason),
    }
  }
}

/** Where the specification has one message for all invalid requests of an operation, the details become the reason. */
function withFixedMessage(error: ApiError, message: string | undefined): ApiError {
  if (message === undefined || error.code !== 'InvalidInput' || error.details === '') return error
  return new ApiError(error.code, message, '', { reason: error.reason, cause: error })
}

const STATUSES_WITH_RATE = new Set([400, 404, 429])

export function errorBody(error: ApiError) {
  return { errors: [error, ...error.otherErrors].map(({ code, message, details }) => ({ code, message, details })) }
}

const frameworkErrors: Record<
  string,
  [ErrorCode, string, (request: Pick<FastifyRequest, 'url' | 'headers'>) => Partial<Explanation>]
> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'UnsupportedMediaType',
    'The header Content-Type is not valid.',
    ({ headers }) => ({
      facts: { 'content-type': headers['content-type'] ?? null },
      change: { headers: { 'content-type': 'application/json' } },
    }),
  ],
  FST_ERR_BAD_URL: [
    'InvalidInput',
    'The path is not a valid URL: its percent-encoding is broken.',
    ({ url }) => ({
      facts: { url },
      change: { path: url.split('?', 1)[0]?.replace(/(?:%[0-9a-f]{2})+|%/gi, encodeUndecodable) ?? '/' },
    }),
  ],
  FST_ERR_MAX_PARAM_LENGTH: [
    'InvalidInput',
    'A part of the path is too long.',
    ({ url }) => ({ facts: { characters: url.length }, noNearest: 'No id is so long: send one that exists.' }),
  ],
}

/** Escapes may have the right form and yet be no UTF-8. */
function encodeUndecodable(escapes: string): string {
  try {
    decodeURIComponent(escapes)
    return escapes
  } catch {
    return escapes.replaceAll('%', '%25')
  }
}

function toApiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof OAuthError || error instanceof StorageError) return new ApiError('InvalidInput', error.message)
  if (error instanceof UnavailableError) {
    return new ApiError('ServiceUnavailable', 'The service is temporarily unavailable. Please try again.', '', {
      cause: error,
    })
  }
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = frameworkErrors[code]
  if (known) {
    const [errorCode, message, explain] = known
    // The log keeps the explanation, which must not keep the request and its connection.
    const { url, headers } = request
    return new ApiError(errorCode, message, '', { explain: () => explain({ url, headers }) })
  }
  // Only of the request's own stream: the connection to a dependency may be reset, too.
  if (error === request.raw.errored) {
    const explain = afterDoing('Send it again, with the whole body.', { hasEndedEarly: true })
    return new ApiError('RequestTimeout', 'The request body ended early.', '', { explain })
  }
  if (statusCode >= 400 && statusCode < 500) {
    const explain = neverPasses('Only the client knows what the request should have been.', { error: code })
    return new ApiError('InvalidInput', 'The request is not valid.', '', { explain })
  }
  return new ApiError('InternalFailure', 'We encountered an internal error. Please try again.', '', { cause: error })
}

function toOAuth(error: ApiError): OAuthError {
  const code: OAuthErrorCode =
    error.status === 503 ? 'temporarily_unavailable' : error.status >= 500 ? 'server_error' : 'invalid_request'
  const description = joinSentences(error.message, error.details)
  // How the body arrived is no matter of OAuth, and HTTP clients act on these.
  const isTransfer = error.code === 'RequestTimeout' || error.code === 'RequestTooLarge'
  return new OAuthError(code, description, { cause: error, ...(isTransfer && { status: error.status }) })
}

const storageCodes: Partial<Record<ErrorCode, StorageErrorCode>> = {
  RequestTimeout: 'RequestTimeout',
  RequestTooLarge: 'EntityTooLarge',
  InternalFailure: 'InternalError',
  ServiceUnavailable: 'ServiceUnavailable',
}

function toStorage(error: ApiError): StorageError {
  return new StorageError(storageCodes[error.code] ?? 'InvalidRequest', error.message, { cause: error })
}
