import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../platform/errors/api-error.ts'
import { afterDoing } from '../platform/errors/explanation.ts'
import { isFinished } from './is-finished.ts'
import type { Timeouts } from './timeouts.ts'

// More than any client pipelines, and few enough to keep in memory.
const MAX_PIPELINED_REQUESTS = 100

const ownPace = new WeakSet<ServerResponse>()

/** The sender of this response sets its pace, and that of its request, and has timeouts of its own. */
export function setsOwnPace(response: ServerResponse): void {
  ownPace.add(response)
}

/** A client's connection: its current request, and whether that request makes progress. */
export class Connection {
  readonly #socket: Socket
  readonly #timeouts: Timeouts
  #request: IncomingMessage | undefined
  #response: ServerResponse | undefined
  #pending: ServerResponse[] = []
  #watched: IncomingMessage | undefined
  #startedAt = 0
  #sentBefore = 0
  #received = 0
  #lastByteAt = 0
  #windowStartedAt = 0
  #windowReceived = 0
  #respondedAt: number | undefined
  #isEnding = false

  constructor(socket: Socket, timeouts: Timeouts) {
    this.#socket = socket
    this.#timeouts = timeouts
  }

  /**
   * Registers a request. Returns false if the client has sent too many without waiting for the responses, or one after
   * the last.
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#isEnding) return false
    // Almost no client pipelines, so responses are counted only while the previous one is not finished. A listener on
    // each would slow down every request.
    if (!this.#response || isFinished(this.#response)) this.#pending.length = 0
    this.#request = request
    this.#response = response
    if (this.#pending.push(response) <= MAX_PIPELINED_REQUESTS) return true
    this.#pending = this.#pending.filter((earlier) => !isFinished(earlier))
    return this.#pending.length <= MAX_PIPELINED_REQUESTS
  }

  /** How many requests have no complete response yet. */
  get inFlight(): number {
    return this.#pending.filter((response) => !isFinished(response)).length
  }

  /** Sends `connection: close` with the current response, and closes the connection after it. */
  closeAfterResponse(): void {
    const response = this.#response
    if (!response || response.writableFinished) return
    response.shouldKeepAlive = false
    // Too late for the header: the client finds the connection closed after the response.
    if (response.headersSent) response.once('finish', () => this.#socket.destroySoon())
  }

  /**
   * Fails a request that cannot be read completely. Its reader receives the error, so the response has the format of
   * its route; destroying the request would close the socket first. Returns false if there is no current request.
   */
  fail(error: ApiError): boolean {
    const [request, response] = [this.#request, this.#response]
    if (!request || !response || (request.complete && response.writableFinished)) return false
    if (request.complete) this.closeAfterResponse()
    else if (response.headersSent) this.#socket.destroy()
    else {
      response.shouldKeepAlive = false
      // Node.js would close the socket after the response, which resets a client that is sending: it would lose the
      // response. The rest is discarded instead.
      this.#socket.destroySoon = () => this.#end()
      emitToReader(request, error)
    }
    return true
  }

  #end(): void {
    this.#isEnding = true
    this.#socket.end()
  }

  /** Checks the progress since the last check. */
  check(now: number): void {
    if (this.#isEnding) return void this.#checkLinger(now)
    const [request, response] = [this.#request, this.#response]
    if (!request || !response || (ownPace.has(response) && !response.writableEnded)) return
    if (request !== this.#watched) this.#watch(request, now)
    else if (!request.complete) this.#checkBody(request, response, now)
    else if (!response.writableFinished) this.#checkResponse(now)
  }

  #watch(request: IncomingMessage, now: number): void {
    this.#watched = request
    this.#startedAt = now
    this.#sentBefore = this.#socket.bytesWritten
    this.#respondedAt = undefined
    this.#restartWindow(now)
  }

  #restartWindow(now: number): void {
    this.#received = this.#socket.bytesRead
    this.#lastByteAt = now
    this.#windowReceived = this.#received
    this.#windowStartedAt = now
  }

  #checkBody(request: IncomingMessage, response: ServerResponse, now: number): void {
    if (response.writableEnded) {
      // Refused early: a client reads the response only after it has sent everything, so the rest is discarded.
      this.#checkLinger(now)
    } else if (request.readableLength > 0 || request.listenerCount('error') === 0) {
      // Data that has arrived but is not read yet: the delay is ours, not the client's.
      this.#restartWindow(now)
    } else {
      const details = this.#findStall(now)
      if (details) this.fail(tooSlow(details))
    }
  }

  #checkLinger(now: number): void {
    this.#respondedAt ??= now
    if (now - this.#respondedAt > this.#timeouts.lingerMilliseconds) this.#socket.destroy()
  }

  #findStall(now: number): string | undefined {
    const { idleMilliseconds, rateWindowMilliseconds, minBytesPerSecond } = this.#timeouts
    const { bytesRead } = this.#socket
    if (bytesRead > this.#received) this.#lastByteAt = now
    this.#received = bytesRead
    if (now - this.#lastByteAt > idleMilliseconds) {
      return `No data of the request body arrived for ${idleMilliseconds / 1000} seconds.`
    }
    const windowMilliseconds = now - this.#windowStartedAt
    if (windowMilliseconds < rateWindowMilliseconds) return undefined
    if (bytesRead - this.#windowReceived < (minBytesPerSecond * windowMilliseconds) / 1000) {
      return `The request body arrived at less than ${minBytesPerSecond} bytes per second.`
    }
    this.#restartWindow(now)
    return undefined
  }

  /**
   * The socket's own timeout closes a client that reads nothing. It is set only here, because most responses finish
   * before the first check. The rest of the method handles a client that reads slowly.
   */
  #checkResponse(now: number): void {
    const { stallMilliseconds, minBytesPerSecond } = this.#timeouts
    if (this.#socket.timeout !== stallMilliseconds) this.#socket.setTimeout(stallMilliseconds)
    const sent = this.#socket.bytesWritten - this.#sentBefore
    if (now - this.#startedAt > stallMilliseconds + (sent * 1000) / minBytesPerSecond) this.#socket.destroy()
  }
}

/** Emits the error as soon as the body has a reader: authentication may still be running. */
function emitToReader(request: IncomingMessage, error: ApiError): void {
  if (request.listenerCount('error') > 0) return void request.emit('error', error)
  request.on('newListener', function deliver(event) {
    if (event !== 'error') return
    request.off('newListener', deliver)
    setImmediate(() => request.emit('error', error))
  })
}

const tooSlow = (details: string) =>
  new ApiError('RequestTimeout', 'The request did not arrive in time.', details, {
    explain: afterDoing('Send it again, without pauses in the body.', { arrived: details }),
  })
