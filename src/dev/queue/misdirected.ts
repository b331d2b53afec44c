import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorBody } from '../../http/error-handler.ts'
import { ApiError } from '../../platform/errors/api-error.ts'

const TOKEN_PATH = '/auth/o2/token'

// An SQS client sends everything to `/` or to the URL of a queue, `/<account>/<queue>`.
const QUEUE_PATH = /^\/(?:(?:\d{1,12}|queue)\/[^/?]+\/?)?(?:\?|$)/

export const isForSellerApi = ({ headers, url = '' }: IncomingMessage) =>
  headers['x-amz-access-token'] !== undefined ||
  headers['x-svc-access-token'] !== undefined ||
  (headers['x-amz-target'] === undefined && !QUEUE_PATH.test(url))

/** The ports of the service and the queue are adjacent, so clients confuse them easily. */
export function respondMisdirected(
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  sellerApiUrl: string,
): void {
  const error = new ApiError('NotFound', `This is the local queue. The Selling Partner API is at ${sellerApiUrl}.`)
  const body = url.startsWith(TOKEN_PATH)
    ? { error: 'invalid_request', error_description: error.message }
    : errorBody(error)
  response.writeHead(error.status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
