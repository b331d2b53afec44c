import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../platform/errors/api-error.ts'
import { isFinished } from './is-finished.ts'
import type { Timeouts } from './timeouts.ts'

// More than any client pipelines, and few enough to keep in memory.
const MAX_PIPELINED_REQUESTS = 100

/** One client's connection: which request it is at, and whether that request still makes progress. */
export class Connection {
  readonly #socket: Socket
  readonly #timeouts: Timeouts
  #request: IncomingMessage | undefined
  #response: ServerResponse | undefined
  #unanswered: ServerResponse[] = []
  #watched: IncomingMessage | undefined
  #startedAt = 0
  #sentBefore = 0
  #received = 0
  #lastByteAt = 0
  #windowStartedAt = 0
  #windowReceived = 0
  #respondedAt: number | undefined

  constructor(socket: Socket, timeouts: Timeouts) {
    this.#socket = socket
    this.#timeouts = timeouts
  }

  /** Notes a request. False where the client has sent too many without waiting for their answers. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    // Almost no client pipelines, so that an answer is counted only where the one before it is not finished: a listener
    // on each would cost every request.
    if (!this.#response || isFinished(this.#response)) this.#unanswered.length = 0
    this.#request = request
    this.#response = response
    if (this.#unanswered.push(response) <= MAX_PIPELINED_REQUESTS) return true
    this.#unanswered = this.#unanswered.filter((earlier) => !isFinished(earlier))
    return this.#unanswered.length <= MAX_PIPELINED_REQUESTS
  }

  /** Has the answer that is under way say `connection: close`, and closes after it. */
  closeAfterResponse(): void {
    const response = this.#response
    if (!response || response.writableFinished) return
    response.shouldKeepAlive = false
    // Too late for the header: the client finds the connection closed after the response.
    if (response.headersSent) response.once('finish', () => this.#socket.destroySoon())
  }

  /**
   * Ends a request that cannot be read to its end. Its reader answers with the error, so the answer has the format of
   * its route; destroying the request would close the socket before that. False where no request is under way.
   */
  fail(error: ApiError): boolean {
    const [request, response] = [this.#request, this.#response]
    if (!request || !response || (request.complete && response.writableFinished)) return false
    if (request.complete) this.closeAfterResponse()
    else if (response.headersSent) this.#socket.destroy()
    else {
      response.shouldKeepAlive = false
      emitToReader(request, error)
    }
    return true
  }

  /** Looks for progress since the last look. */
  check(now: number): void {
    const [request, response] = [this.#request, this.#response]
    if (!request || !response) return
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
      // Refused early: a client that is still sending looks for the answer only afterwards, so the rest is dropped.
      this.#respondedAt ??= now
      if (now - this.#respondedAt > this.#timeouts.lingerMilliseconds) this.#socket.destroy()
    } else if (request.readableLength > 0 || request.listenerCount('error') === 0) {
      // What has arrived and is not read yet waits for us, not for the client.
      this.#restartWindow(now)
    } else {
      const details = this.#findStall(now)
      if (details) this.fail(new ApiError('RequestTimeout', 'The request did not arrive in time.', details))
    }
  }

  #findStall(now: number): string | undefined {
    const { idleMilliseconds, rateWindowMilliseconds, minBytesPerSecond } = this.#timeouts
    const { bytesRead } = this.#socket
    if (bytesRead > this.#received) this.#lastByteAt = now
    this.#received = bytesRead
    if (now - this.#lastByteAt > idleMilliseconds) {
      return `Nothing of the body arrived for ${idleMilliseconds / 1000} seconds.`
    }
    const windowMilliseconds = now - this.#windowStartedAt
    if (windowMilliseconds < rateWindowMilliseconds) return undefined
    if (bytesRead - this.#windowReceived < (minBytesPerSecond * windowMilliseconds) / 1000) {
      return `The body arrived at less than ${minBytesPerSecond} bytes per second.`
    }
    this.#restartWindow(now)
    return undefined
  }

  /**
   * A client that reads nothing at all is closed by the socket's own timeout, which is armed only here: most answers are
   * over before the first look. The rest is for a client that reads in drips.
   */
  #checkResponse(now: number): void {
    const { stallMilliseconds, minBytesPerSecond } = this.#timeouts
    if (this.#socket.timeout !== stallMilliseconds) this.#socket.setTimeout(stallMilliseconds)
    const sent = this.#socket.bytesWritten - this.#sentBefore
    if (now - this.#startedAt > stallMilliseconds + (sent * 1000) / minBytesPerSecond) this.#socket.destroy()
  }
}

/** Emits the error as soon as the body has a reader, who may still be waiting for the caller to be verified. */
function emitToReader(request: IncomingMessage, error: ApiError): void {
  if (request.listenerCount('error') > 0) return void request.emit('error', error)
  request.on('newListener', function deliver(event) {
    if (event !== 'error') return
    request.off('newListener', deliver)
    setImmediate(() => request.emit('error', error))
  })
}
