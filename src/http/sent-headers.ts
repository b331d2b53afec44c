import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { DateHeader } from './date-header.ts'

/** Gets the body of a response when it is sent. */
export interface BodyKeeper {
  keepResponseBody(body: string | Buffer): void
}

/**
 * Keeps the headers that it sends: copying them later would take half the time of logging a request. And sends ASCII text
 * without converting it.
 */
export class KeptHeadersResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  sentHeaders: OutgoingHttpHeaders | undefined
  bodyKeeper: BodyKeeper | undefined
  headerLine = ''
  /** Returns the value of the header Date. Undefined for the time of the system. */
  date: DateHeader | undefined

  /** Fastify passes all headers to it, except for a stream. */
  override writeHead(status: number, reason?: unknown, headers?: unknown): this {
    if (typeof reason === 'object' && reason !== null && !Array.isArray(reason))
      this.sentHeaders = reason as OutgoingHttpHeaders
    return super.writeHead(status, reason as string, headers as OutgoingHttpHeaders)
  }

  /** Called by Node.js with the first line, such as `HTTP/1.1 200 OK`, to which it adds the headers. */
  _storeHeader(firstLine: string, headers: unknown): void {
    this.sendDate = this.date === undefined
    const dateLine = this.date ? `Date: ${this.date()}\r\n` : ''
    const lines = firstLine + this.headerLine + dateLine
    if (this.sentHeaders && headers === this.sentHeaders) {
      const { validLines, others } = splitHeaders(this.sentHeaders)
      storeHeader.call(this, lines + validLines, others)
    } else storeHeader.call(this, lines, headers)
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (this.bodyKeeper) handOverBody(this, chunk)
    const isAscii = typeof chunk === 'string' && !encoding && this.#bodyBytes === chunk.length
    return super.end(chunk, (isAscii ? 'latin1' : encoding) as BufferEncoding, callback as () => void)
  }

  /**
   * As many bytes in UTF-8 as characters are ASCII, which is the same in Latin-1. Node.js writes that without
   * conversion.
   */
  get #bodyBytes(): number {
    return Number(this.sentHeaders?.['content-length'])
  }
}

/** Headers of most responses, whose values are ours: to check them takes Node.js longer than to send them. */
const VALID_HEADERS = new Set([
  'x-content-type-options',
  'content-security-policy',
  'cache-control',
  'pragma',
  'x-amzn-requestid',
  'x-amzn-ratelimit-limit',
])
const JSON_TYPE = 'application/json; charset=utf-8'

/** Node.js checks the others, and adds what they lack. */
function splitHeaders(headers: OutgoingHttpHeaders): { validLines: string; others: OutgoingHttpHeaders } {
  let validLines = ''
  const others: OutgoingHttpHeaders = {}
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string' && (VALID_HEADERS.has(name) || (name === 'content-type' && value === JSON_TYPE)))
      validLines += `${name}: ${value}\r\n`
    else others[name] = value
  }
  return { validLines, others }
}

type Kept = ServerResponse & Partial<Pick<KeptHeadersResponse, 'sentHeaders' | 'bodyKeeper'>>

const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as KeptHeadersResponse

/**
 * Adds a header whose name and value are known to be valid. Node.js checks other headers for each response, which takes
 * half a microsecond for a URL. `sentHeadersOf` does not have it.
 */
export function addValidHeader({ raw }: FastifyReply, name: string, value: string): void {
  if (raw instanceof KeptHeadersResponse) raw.headerLine += `${name}: ${value}\r\n`
  else raw.setHeader(name, value)
}

/** Has a response send the date of a clock, or undefined for that of the system or of another server. */
export function setDate(response: ServerResponse, date: DateHeader | undefined): void {
  if (response instanceof KeptHeadersResponse) response.date = date
  // A request without a socket has a response of another class.
  else if (date) response.setHeader('date', date())
}

/**
 * Hands the body of a response over when it is sent, unless it is a stream. A hook of the framework would cost several times
 * as much.
 */
export function keepBody(response: ServerResponse, keeper: BodyKeeper): void {
  const kept: Kept = response
  kept.bodyKeeper = keeper
  if (response instanceof KeptHeadersResponse) return
  // A request without a socket has a response of another class.
  const end = response.end as (...chunk: unknown[]) => ServerResponse
  response.end = (...chunk: unknown[]) => {
    handOverBody(response, chunk[0])
    return end.apply(response, chunk)
  }
}

/** For what sends the body of a response in another way than by its end. */
export function handOverBody(response: ServerResponse, body: unknown): void {
  const kept: Kept = response
  const keeper = kept.bodyKeeper
  // The connection holds on to its last response.
  kept.bodyKeeper = undefined
  if (typeof body === 'string' || Buffer.isBuffer(body)) keeper?.keepResponseBody(body)
}

/** The headers of a response that was sent. They must not be changed. */
export function sentHeadersOf(reply: FastifyReply): OutgoingHttpHeaders {
  const { sentHeaders }: Kept = reply.raw
  return sentHeaders ?? (reply.getHeaders() as OutgoingHttpHeaders)
}
