import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../platform/errors/api-error.ts'
import { errorBody } from './error-handler.ts'

/** Responds to what never became a request: headers that do not parse or do not end in time. */
export function sendClientError(apiError: ApiError, socket: Socket, requestId: string): void {
  const body = JSON.stringify(errorBody(apiError))
  socket.end(
    [
      `HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-amzn-requestid: ${requestId}`,
      `x-amzn-errortype: ${apiError.code}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/** An error of Node's HTTP parser. */
export type ClientError = NodeJS.ErrnoException & { rawPacket?: unknown; reason?: string }

// The first byte of a TLS handshake.
const TLS_HANDSHAKE = 0x16

export function toApiError({ code, rawPacket, reason = '' }: ClientError): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('RequestTimeout', 'The request did not arrive in time.')
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError('RequestHeadersTooLarge', 'The headers of the request are too large.')
  }
  const isTls = rawPacket instanceof Uint8Array && rawPacket[0] === TLS_HANDSHAKE
  const details = isTls ? 'The client sent a TLS handshake to a plain HTTP port: use http://.' : reason
  return new ApiError('InvalidInput', 'The request is not valid HTTP.', details)
}
