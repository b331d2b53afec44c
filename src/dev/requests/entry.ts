import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isFinished } from '../../http/is-finished.ts'
import type { LoggedQuota } from '../../http/route.ts'
import { type BodyKeeper, sentHeadersOf } from '../../http/sent-headers.ts'
import type { Caller } from '../../platform/auth/caller.ts'
import type { LoggedError } from '../../platform/logging/request-log.ts'

/** The header of each response with the URL of its request in the log. */
export const LINK_HEADER = 'x-souk-request-url'
/** Longer bodies are cut. */
export const MAX_BODY_BYTES = 64 * 1024
/** A shorter body of a request is kept as text, a character for each byte: a buffer that is kept costs more than to copy it. */
const MAX_TEXT_BYTES = 4 * 1024
/** About what an entry takes without its bodies. */
const OVERHEAD_BYTES = 2_000
/** In place of what refused a long body: it may hold on to all of it, to explain what is wrong. */
const REFUSED = {}

/** How the connection ended, or that it has not. */
export type Outcome = 'running' | 'completed' | 'clientGone'

export interface StartedRequest {
  request: FastifyRequest
  reply: FastifyReply
  operation: string
  /** Its URL in the log. */
  link: string
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
  readonly time: number
  readonly id: string
  readonly link: string
  readonly method: string
  readonly url: string
  readonly requestHeaders: IncomingHttpHeaders
  readonly startedAt: number
  params: unknown
  query: unknown
  caller: Caller | undefined
  requestBytes = 0
  status: number | undefined
  /** Undefined for a stream, of which only the length is known. */
  responseBody: string | Buffer | undefined
  responseBytes = 0
  milliseconds: number | undefined
  quota: LoggedQuota | undefined
  error: LoggedError | undefined
  /** What refused the request. */
  thrown: unknown
  faultId: string | undefined
  outcome: Outcome = 'running'
  #headerBytes = 0
  #requestBody: string | Buffer | undefined
  #sentHeaders: OutgoingHttpHeaders | undefined
  /** Not kept longer: they hold on to sockets. */
  #request: FastifyRequest | undefined
  #reply: FastifyReply | undefined

  constructor({ request, reply, operation, link, startedAt, time }: StartedRequest) {
    this.id = request.id
    this.link = link
    this.operation = operation
    this.method = request.method
    this.url = request.url
    this.requestHeaders = request.headers
    this.startedAt = startedAt
    this.time = time
    this.#request = request
    this.#reply = reply
  }

  get requestBody(): Buffer | undefined {
    const body = this.#requestBody
    return typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  }

  get responseHeaders(): OutgoingHttpHeaders {
    return this.#sentHeaders ? { ...this.#sentHeaders, [LINK_HEADER]: this.link } : {}
  }

  get bytes(): number {
    const bodies = (this.#requestBody?.length ?? 0) + (this.responseBody?.length ?? 0)
    return OVERHEAD_BYTES + this.url.length + this.#headerBytes + bodies
  }

  get isRequestCut(): boolean {
    return this.#requestBody !== undefined && this.#requestBody.length < this.requestBytes
  }

  /** Whether one of the bodies is longer than what is here. */
  get isCut(): boolean {
    const { responseBody, responseBytes } = this
    return this.isRequestCut || (responseBody !== undefined && Buffer.byteLength(responseBody) < responseBytes)
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
    const request = this.#request
    const reply = this.#reply
    if (!request || !reply) return false
    this.#request = undefined
    this.#reply = undefined
    this.outcome = outcome
    this.params = request.params
    this.query = request.query
    this.caller = request.caller
    this.error = request.loggedError
    this.quota = request.quota
    this.faultId = request.faultId
    this.#headerBytes = lengthOf(request.raw.rawHeaders)
    this.#keepRequestBody(request)
    this.thrown = this.isRequestCut && request.thrown !== undefined ? REFUSED : request.thrown
    if (outcome === 'completed' || reply.sent) {
      this.status = reply.statusCode
      this.#sentHeaders = sentHeadersOf(reply)
    }
    if (outcome === 'completed') this.milliseconds = reply.elapsedTime
    this.responseBytes = Number(this.#sentHeaders?.['content-length']) || this.responseBytes
    return true
  }

  /** Not all of a long one: a client that leaves before it was sent would keep it in memory. */
  keepResponseBody(body: string | Buffer): void {
    if (!this.#reply) return
    this.responseBytes = body.length
    if (body.length <= MAX_BODY_BYTES) this.responseBody = body
    else if (typeof body === 'string')
      this.responseBody = Buffer.from(body.slice(0, MAX_BODY_BYTES)).subarray(0, MAX_BODY_BYTES)
    else this.responseBody = Buffer.from(body.subarray(0, MAX_BODY_BYTES))
  }

  #keepRequestBody({ rawBody, headers }: FastifyRequest): void {
    this.requestBytes = rawBody?.length ?? (Number(headers['content-length']) || 0)
    if (rawBody === undefined || rawBody.length === 0) return
    // A part of a buffer keeps all of it in memory.
    if (rawBody.length > MAX_BODY_BYTES) this.#requestBody = Buffer.from(rawBody.subarray(0, MAX_BODY_BYTES))
    else this.#requestBody = rawBody.length > MAX_TEXT_BYTES ? rawBody : rawBody.toString('latin1')
  }
}

/** How long the headers are. Those of responses are ours, and short. */
function lengthOf(rawHeaders: readonly string[]): number {
  let length = 0
  for (const text of rawHeaders) length += text.length
  return length
}
