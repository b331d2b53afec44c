import { consoleHeaders } from '../../api/client.ts'
import { type RequestDetail, urlOf } from '../../api/request-log.ts'
import { hasSecret } from './as-code.ts'

export interface Replayed {
  method: string
  url: string
  status: number
  milliseconds: number
  body: string
  sellerId: string | undefined
}

export interface ReplayInput {
  method: string
  url: string
  body?: string | undefined
  contentType?: string | undefined
  sellerId?: string | undefined
}

/** Why a request cannot be sent again, if it cannot. */
export function findObstacle({ path, query, request, operation }: RequestDetail): string | undefined {
  if (hasSecret(path) || hasSecret(query)) return 'The log does not keep the signature of its link.'
  if (operation === 'createToken' || hasSecret(request.body)) return 'The log does not keep the secrets of its body.'
  if (request.isCut) return 'The log has only a part of its body.'
  if (request.bytes > 0 && request.body === undefined) return 'The log does not keep documents.'
  return undefined
}

export const replayInputOf = (detail: RequestDetail): ReplayInput => ({
  method: detail.method,
  url: urlOf(detail),
  body: detail.request.body,
  contentType: detail.request.headers['content-type'],
  sellerId: detail.seller,
})

/** Sends a request as the console itself: the log has no token that could be sent again. */
export async function replay({ method, url, body, contentType, sellerId }: ReplayInput): Promise<Replayed> {
  const startedAt = performance.now()
  const response = await fetch(url, {
    method,
    headers: {
      ...consoleHeaders(),
      ...(sellerId !== undefined && { 'x-souk-seller': sellerId }),
      ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { method, url, status: response.status, milliseconds: performance.now() - startedAt, body: text, sellerId }
}
