import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isFinished } from '../../http/is-finished.ts'
import { type BodyKeeper, sentHeadersOf } from '../../http/sent-headers.ts'
import type { Caller } from '../../platform/auth/caller.ts'
import type { LoggedError } from '../../platform/logging/request-log.ts'
import type { Rate } from '../../platform/throttle/port.ts'
import { mayHoldBody } from './explained-error.ts'
import { LongBody } from './long-bodies.ts'
import { ID_HEADER, LENGTH_HEADER, type RecentRequests } from './recent-requests.ts'
import { releaseStacks } from './release-stacks.ts'

/** The header of each response with the URL of its request in the log. */
export const LINK_HEADER = 'x-souk-request-url'
/** A longer response is copied: to keep its text costs the garbage collector more. */
const MAX_RESPONSE_TEXT = 8 * 1024
/**
 * A shorter body of a request is kept as text, a character for each byte: a buffer that is kept costs more than to copy
 * it.
 */
const MAX_TEXT_BYTES = 4 * 1024
/** About what an entry takes without its bodies. */
const OVERHEAD_BYTES = 2_000
/** How many times the memory of its text a parsed body takes at most: a list of empty objects, measured. */
const PARSED_FACTOR = 22
/** In place of what refused a long body: it may hold on to all of it, to explain what is wrong. */
export const REFUSED = {}

// The engine keeps integers of 31 bits in the entry. Others are objects of their own, which the garbage collector
// copies, so times count from the start of the process.
const EPOCH = Math.floor(performance.timeOrigin)

/** How the connection ended, or that it has not. */
export type Outcome = 'running' | 'completed' | 'clientGone'

export interface StartedRequest {
  reply: FastifyReply
  operation: string
  /** Of the same operation. */
  recent: RecentRequests
  /** Its URL in the log without its id. */
  linkPrefix: string
  /** Of the system. */
  startedAt: number
  /** Of the clock of the marketplace. */
  time: number
}

/**
 * One request and its response, by reference: what a reader sees is rendered when it is read. A request is written on the
 * hot path and most are never read.
 */
export class Entry implements BodyKeeper {
  // First and together: when the log drops an entry, its memory has left the caches of the processor.
  /** The order in which requests started. Set by the log. */
  number = 0
  /** Whether the log no longer has it. */
  isDropped = false
  countedBytes = 0
  readonly operation: string
  readonly #started: number
  readonly #ahead: number
  readonly id: string
  readonly method: string
  readonly url: string
  /** Whether the client used TLS. */
  readonly isEncrypted: boolean
  readonly requestHeaders: IncomingHttpHeaders
  params: unknown
  query: unknown
  caller: Caller | undefined
  requestBytes = 0
  status: number | undefined
  responseBytes = 0
  #microseconds: number | undefined
  rate: Rate | undefined
  left = 0
  error: LoggedError | undefined
  /** What refused the request. */
  thrown: unknown
  faultId: string | undefined
  outcome: Outcome = 'running'
  readonly #linkPrefix: string
  /** Of the headers of the request. Those of responses are ours, and short. */
  readonly #headerBytes: number
  /** Text has a character for each byte. */
  #requestBody: string | Buffer | LongBody | undefined
  /** Undefined for a stream, of which only the length is known. */
  #responseBody: string | Buffer | LongBody | undefined
  /** In what refused the request. */
  #holdsParsedBody = false
  #sentHeaders: OutgoingHttpHeaders | undefined
  /** Whether they are those of another response, which differ in the id and the length. */
  #areHeadersShared = false
  readonly #recent: RecentRequests
  /** Until the request is over, because it holds on to a socket. */
  #reply: FastifyReply | undefined

  constructor({ reply, operation, recent, linkPrefix, startedAt, time }: StartedRequest) {
    const { request } = reply
    const { headers, bytes } = recent.headersOf(request.raw.rawHeaders, request.headers)
    this.id = request.id
    this.#linkPrefix = linkPrefix
    this.operation = operation
    this.method = request.method
    this.url = recent.urlOf(request.url)
    this.isEncrypted = 'encrypted' in request.raw.socket
    this.requestHeaders = headers
    this.#headerBytes = bytes
    this.#started = startedAt - EPOCH
    this.#ahead = time - startedAt
    this.#recent = recent
    this.#reply = reply
  }

  /** Of the system. */
  get startedAt(): number {
    return EPOCH + this.#started
  }

  /** Of the clock of the marketplace. */
  get time(): number {
    return this.startedAt + this.#ahead
  }

  get milliseconds(): number | undefined {
    return this.#microseconds === undefined ? undefined : this.#microseconds / 1000
  }

  /** The URL of the request in the log. */
  get link(): string {
    return this.#linkPrefix + this.id
  }

  get requestBody(): Buffer | undefined {
    const body = this.#requestBody
    if (body instanceof LongBody) return this.#recent.longBodies.find(body)
    return typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  }

  /** Undefined also for a long one that is no longer in memory. */
  get responseBody(): string | Buffer | undefined {
    const body = this.#responseBody
    return body instanceof LongBody ? this.#recent.longBodies.find(body) : body
  }

  get responseHeaders(): OutgoingHttpHeaders {
    const sent = this.#sentHeaders
    if (!sent) return {}
    return {
      ...sent,
      ...(this.#areHeadersShared && { [ID_HEADER]: this.id, [LENGTH_HEADER]: String(this.responseBytes) }),
      [LINK_HEADER]: this.link,
    }
  }

  get bytes(): number {
    const requestBytes = (this.#requestBody?.length ?? 0) * (this.#holdsParsedBody ? 1 + PARSED_FACTOR : 1)
    return OVERHEAD_BYTES + this.url.length + this.#headerBytes + requestBytes + (this.#responseBody?.length ?? 0)
  }

  get isRequestCut(): boolean {
    return this.#requestBody !== undefined && this.#requestBody.length < this.requestBytes
  }

  /** Whether one of the bodies is longer than what is here. */
  get isCut(): boolean {
    if (this.isRequestCut) return true
    const body = this.#responseBody
    if (body === undefined) return false
    const keptBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    return keptBytes < this.responseBytes || this.responseBody === undefined
  }

  /** When the response was sent, in milliseconds of the system. */
  get endedAt(): number {
    return this.startedAt + (this.milliseconds ?? 0)
  }

  /**
   * The framework does not call back for a client that left early, so that is noticed when the entry is read. Returns
   * whether it was.
   */
  settle(): boolean {
    return this.#reply !== undefined && isFinished(this.#reply.raw) && this.finish('clientGone')
  }

  /** Returns false if it was finished before. */
  finish(outcome: Exclude<Outcome, 'running'>): boolean {
    const reply = this.#reply
    if (!reply) return false
    const { request } = reply
    this.#reply = undefined
    this.outcome = outcome
    this.params = this.#recent.paramsOf(this.url, request.params)
    this.query = request.query
    this.caller = request.caller
    this.error = request.loggedError
    if (request.quota) {
      this.rate = request.quota.rate
      this.left = request.quota.left
    }
    this.faultId = request.faultId
    this.#keepRequestBody(request)
    if (typeof this.#responseBody === 'string') this.#responseBody = this.#recent.bodyOf(this.#responseBody)
    this.thrown = this.isRequestCut && request.thrown !== undefined ? REFUSED : request.thrown
    if (this.thrown !== undefined) {
      releaseStacks(this.thrown)
      this.#holdsParsedBody = typeof request.body === 'object' && mayHoldBody(this.thrown)
    }
    // Not `reply.sent`: a response that a fault rule drops has an end, but no beginning.
    if (outcome === 'completed' || reply.raw.headersSent) {
      this.status = reply.statusCode
      const sent = sentHeadersOf(reply)
      this.responseBytes = Number(sent[LENGTH_HEADER]) || this.responseBytes
      this.#sentHeaders = this.#recent.sentHeadersOf(sent, this.id, this.responseBytes)
      this.#areHeadersShared = this.#sentHeaders !== sent
    } else {
      this.#responseBody = undefined
      this.responseBytes = 0
    }
    if (outcome === 'completed') this.#microseconds = Math.round(reply.elapsedTime * 1000)
    return true
  }

  /** Not all of a long one: a client that leaves before it was sent would keep it in memory. */
  keepResponseBody(body: string | Buffer): void {
    if (!this.#reply) return
    this.responseBytes = body.length
    const isShort = body.length <= Math.min(MAX_RESPONSE_TEXT, this.#recent.maxBodyBytes)
    this.#responseBody = isShort && typeof body === 'string' ? body : this.#recent.keepLong(body)
  }

  #keepRequestBody({ rawBody, headers }: FastifyRequest): void {
    this.requestBytes = rawBody?.length ?? (Number(headers['content-length']) || 0)
    if (rawBody === undefined || rawBody.length === 0) return
    if (rawBody.length > this.#recent.maxBodyBytes) this.#requestBody = this.#recent.keepLong(rawBody)
    else this.#requestBody = rawBody.length > MAX_TEXT_BYTES ? rawBody : rawBody.toString('latin1')
  }
}
