import { PassThrough, pipeline, type Readable, Stream } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatLimit } from '../../http/quotas.ts'
import { encodeReason, REASON_HEADER } from '../../http/reason-header.ts'
import { linkExpired } from '../../platform/documents/url-signing.ts'
import { quotaExceeded } from '../../platform/errors/api-error.ts'
import type { Explain } from '../../platform/errors/explanation.ts'
import type { Rate } from '../../platform/throttle/port.ts'
import { closeNow, dropResponse, truncateResponse } from './connection.ts'
import { createError, type Envelope, gatewayMessages } from './error-responses.ts'
import type { FaultAction, FaultRule } from './public.ts'

/** A request that a rule hits. */
export interface HitRequest {
  request: FastifyRequest
  reply: FastifyReply
  envelope: Envelope
  rate: Rate | undefined
  rule: FaultRule
  /** Runs the operation. */
  proceed(): unknown
  /** Rejects with the error of an expired token. */
  expireToken(token: string): Promise<never>
  newSubmissionId(): string
}

type Apply<Kind extends FaultAction['kind']> = (
  action: Extract<FaultAction, { kind: Kind }>,
  hit: HitRequest,
) => Promise<unknown>

type RequestKind = Exclude<
  FaultAction['kind'],
  'latency' | 'stuck' | 'fatal' | 'cancel' | 'duplicate' | 'reorder' | 'delay' | 'lose' | 'refuse'
>

const GZIP_MAGIC = [0x1f, 0x8b]
const RATE_LIMIT_HEADER = 'x-amzn-ratelimit-limit'

const applyAction: { [Kind in RequestKind]: Apply<Kind> } = {
  async status({ status, when, code, message, details }, hit) {
    const { request, reply, envelope } = hit
    if (when === 'after') await proceedSilently(hit)
    const gatewayMessage = envelope === 'api' ? gatewayMessages[status] : undefined
    if (gatewayMessage === undefined)
      throw createError(envelope, { status, code, message, details, reason: reasonOf(hit), explain: withoutFault(hit) })
    const reason = reasonOf(hit)
    // Sent, not thrown: the body is not that of an error of the API.
    request.thrown = Object.assign(new Error(gatewayMessage), { explain: withoutFault(hit) })
    reply.code(status).type('application/json').header(REASON_HEADER, encodeReason(reason))
    return { message: message ?? gatewayMessage }
  },

  async drop({ when }, hit) {
    const { request, reply } = hit
    dropResponse(request, reply)
    if (when === 'after') return hit.proceed()
    closeNow(request)
    return reply.send('')
  },

  async truncate({ bytes }, hit) {
    truncateResponse(hit.request, hit.reply, bytes)
    return hit.proceed()
  },

  async throttle({ rateLimitHeader = true }, hit) {
    const { reply, rate } = hit
    if (!rateLimitHeader) reply.removeHeader(RATE_LIMIT_HEADER)
    else if (rate) reply.header(RATE_LIMIT_HEADER, formatLimit(rate.perSecond))
    throw quotaExceeded(reasonOf(hit), withoutFault(hit))
  },

  async expireToken(_, hit) {
    return hit.expireToken(
      String(hit.request.headers['x-amz-access-token'] ?? hit.request.headers['x-svc-access-token']),
    )
  },

  /** A preview checks what was sent and writes nothing. */
  async ignore(_, hit) {
    const { request } = hit
    const query = request.query as { mode?: string }
    if (query.mode === 'VALIDATION_PREVIEW') return hit.proceed()
    if (request.method === 'DELETE') {
      const { sku } = request.params as { sku: string }
      return { sku, status: 'ACCEPTED', submissionId: hit.newSubmissionId(), issues: [] }
    }
    request.query = { ...query, mode: 'VALIDATION_PREVIEW' }
    const result = (await hit.proceed()) as { status: string }
    return result.status === 'VALID' ? { ...result, status: 'ACCEPTED' } : result
  },

  async expiredLink() {
    throw linkExpired()
  },

  async slowDown(_, hit) {
    throw createError('storage', { status: 503, reason: reasonOf(hit), explain: withoutFault(hit) })
  },

  async notCompressed(_, hit) {
    const { request, reply } = hit
    // A range of the compressed document is no range of the plain one. It is hidden, and not deleted: the request log has it.
    request.headers = { range: undefined }
    const content = (await hit.proceed()) as Readable
    reply.removeHeader('content-length')
    return withoutCompression(content)
  },
}

/** Not every document is compressed: its first bytes say so. */
function withoutCompression(content: Readable): Readable {
  const plain = new PassThrough()
  content.once('readable', () => {
    const start = content.read() as Buffer | null
    if (start !== null) content.unshift(start)
    const isCompressed = GZIP_MAGIC.every((byte, index) => start?.[index] === byte)
    pipeline(isCompressed ? [content, createGunzip(), plain] : [content, plain], () => {})
  })
  content.once('error', (error) => plain.destroy(error))
  // Also before the first bytes: the client may leave.
  plain.once('close', () => content.destroy())
  return plain
}

export function applyFault(hit: HitRequest): Promise<unknown> {
  const { action } = hit.rule
  return applyAction[action.kind as RequestKind](action as never, hit)
}

const reasonOf = ({ rule: { id, name } }: HitRequest) =>
  `Fault rule ${id}${name === undefined ? '' : ` (${name})`} caused this response. GET /_souk/faults/${id} has it.`

/** Nothing is wrong with the request. The log keeps the explanation, which must not keep the request and its connection. */
function withoutFault(hit: HitRequest): Explain {
  const rule = reasonOf(hit)
  const { id, action } = hit.rule
  return () => ({
    rule,
    facts: { faultId: id, action },
    change: { first: `Send it again, or DELETE /_souk/faults/${id} if the rule hits every time.` },
  })
}

/** Runs the operation and discards its response, also the headers. */
async function proceedSilently({ reply, proceed }: HitRequest): Promise<void> {
  const headers = reply.getHeaders()
  reply.send = (payload?: unknown) => {
    discard(payload)
    return reply
  }
  try {
    discard(await proceed())
  } finally {
    // The method of the prototype again.
    delete (reply as Partial<FastifyReply>).send
  }
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
  reply.headers(headers)
}

/** A document that nobody reads would stay open. */
function discard(payload: unknown): void {
  if (payload instanceof Stream.Readable) payload.destroy()
}
