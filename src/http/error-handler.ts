import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailableError } from '../platform/database/port.ts'
import { ApiError, type ErrorCode } from '../platform/errors/api-error.ts'
import { OAuthError, type OAuthErrorCode } from '../platform/errors/oauth-error.ts'
import { addCommonHeaders } from './common-headers.ts'

/** Turns anything that was thrown into the answer that the interface documents for it. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  addCommonHeaders(request, reply)
  const apiError = toApiError(error)
  if (apiError.status >= 500) {
    request.log.error(
      { err: error, requestId: request.id, operation: request.routeOptions?.schema?.operationId },
      'request failed',
    )
  }
  if (request.routeOptions?.config.oauth) sendOAuthError(error instanceof OAuthError ? error : toOAuth(apiError))
  else sendApiError()

  function sendApiError() {
    // The quota is told only to those who passed the door.
    if (!STATUSES_WITH_RATE.has(apiError.status)) reply.removeHeader('x-amzn-ratelimit-limit')
    reply
      .code(apiError.status)
      .header('x-amzn-errortype', apiError.code)
      .type('application/json; charset=utf-8')
      .send(errorBody(apiError))
  }

  function sendOAuthError(oauthError: OAuthError) {
    reply
      .code(oauthError.status)
      .type('application/json; charset=utf-8')
      .send({ error: oauthError.code, error_description: oauthError.message, request_id: request.id })
  }
}

const STATUSES_WITH_RATE = new Set([400, 404, 429])

export function errorBody({ code, message, details }: ApiError) {
  return { errors: [{ code, message, details }] }
}

const frameworkErrors: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['RequestTooLarge', 'The request body is too large.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['InvalidInput', 'The request body is not as long as Content-Length says.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UnsupportedMediaType', 'The header Content-Type is not valid.'],
  FST_ERR_BAD_URL: ['InvalidInput', 'The path is not a valid URL: its percent-encoding is broken.'],
  FST_ERR_MAX_PARAM_LENGTH: ['InvalidInput', 'A part of the path is too long.'],
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof OAuthError) return new ApiError('InvalidInput', error.message)
  if (error instanceof DatabaseUnavailableError) {
    return new ApiError('ServiceUnavailable', 'The service cannot answer right now. Please try again.', '', {
      cause: error,
    })
  }
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = frameworkErrors[code]
  if (known) return new ApiError(known[0], known[1])
  if (code === 'ECONNRESET') return new ApiError('RequestTimeout', 'The request ended before it was whole.')
  if (statusCode >= 400 && statusCode < 500) return new ApiError('InvalidInput', 'The request is not valid.')
  return new ApiError('InternalFailure', 'We met an internal error. Please try again.', '', { cause: error })
}

function toOAuth(error: ApiError): OAuthError {
  const code: OAuthErrorCode =
    error.status === 503 ? 'temporarily_unavailable' : error.status >= 500 ? 'server_error' : 'invalid_request'
  return new OAuthError(code, [error.message, error.details].filter(Boolean).join(' '), { cause: error })
}
