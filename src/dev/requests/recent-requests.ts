import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { LongBodies, LongBody } from './long-bodies.ts'

// Several clients, or one with several tokens.
const MAX_REQUESTS = 4
/** Not counted against the size of the log. */
const MAX_BYTES = 4 * 1024

export interface RequestHeaders {
  headers: IncomingHttpHeaders
  /** How long they are, with their names. */
  bytes: number
}

interface Known extends RequestHeaders {
  raw: readonly string[]
}

interface Sent {
  headers: OutgoingHttpHeaders
  names: readonly string[]
  values: readonly unknown[]
}

/** Of the log that the requests are in. */
export interface KeptBodies {
  /** Longer bodies are cut. */
  maxBodyBytes: number
  longBodies: LongBodies
}

/**
 * What the last requests of an operation had. Clients repeat themselves and so do responses, and the log keeps what is
 * equal once: comparing it takes less time than the garbage collector takes to copy it.
 */
export class RecentRequests {
  readonly maxBodyBytes: number
  readonly longBodies: LongBodies
  readonly #requests: Known[] = []
  #oldest = 0
  #sent: Sent | undefined
  #url = ''
  #urlOfParams = ''
  #params: unknown
  #body = ''

  constructor({ maxBodyBytes, longBodies }: KeptBodies) {
    this.maxBodyBytes = maxBodyBytes
    this.longBodies = longBodies
  }

  /** Returns equal headers of another request, or these. */
  headersOf(raw: readonly string[], headers: IncomingHttpHeaders): RequestHeaders {
    for (const known of this.#requests) if (isSame(known.raw, raw)) return known
    const added = { raw, headers, bytes: lengthOf(raw) }
    if (added.bytes > MAX_BYTES) return added
    this.#requests[this.#oldest] = added
    this.#oldest = (this.#oldest + 1) % MAX_REQUESTS
    return added
  }

  /** Returns headers of another response that differ only in the id and the length, which these have, or these. */
  sentHeadersOf(headers: OutgoingHttpHeaders, id: string, bytes: number): OutgoingHttpHeaders {
    if (headers[ID_HEADER] !== id || Number(headers[LENGTH_HEADER]) !== bytes) return headers
    if (this.#sent && isAlike(headers, this.#sent)) return this.#sent.headers
    this.#sent = { headers, names: Object.keys(headers), values: Object.values(headers) }
    return headers
  }

  urlOf(url: string): string {
    if (url.length > MAX_BYTES) return url
    if (url !== this.#url) this.#url = url
    return this.#url
  }

  /** Equal URLs have equal parameters. */
  paramsOf(url: string, params: unknown): unknown {
    if (url === this.#urlOfParams) return this.#params
    if (url.length > MAX_BYTES) return params
    this.#urlOfParams = url
    this.#params = params
    return params
  }

  keepLong(body: string | Buffer): LongBody {
    return this.longBodies.keep(body, this.maxBodyBytes)
  }

  bodyOf(body: string): string {
    if (body.length > MAX_BYTES) return body
    if (body !== this.#body) this.#body = body
    return this.#body
  }
}

export const ID_HEADER = 'x-amzn-requestid'
export const LENGTH_HEADER = 'content-length'

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}

/** Also in the order. To look names up in the known headers, too, would take twice as long. */
function isAlike(headers: OutgoingHttpHeaders, { names, values }: Sent): boolean {
  let index = 0
  for (const name in headers) {
    if (name !== names[index]) return false
    if (headers[name] !== values[index] && name !== ID_HEADER && name !== LENGTH_HEADER) return false
    index++
  }
  return index === names.length
}

function lengthOf(rawHeaders: readonly string[]): number {
  let length = 0
  for (const text of rawHeaders) length += text.length
  return length
}
