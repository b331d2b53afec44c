import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { ApiError } from '../platform/errors/api-error.ts'
import { createGauge } from '../platform/metrics/gauge.ts'
import type { Metric } from '../platform/metrics/port.ts'
import { type ClientError, sendClientError, toApiError } from './client-error.ts'
import { Connection } from './connection.ts'
import { checkEveryMilliseconds, type Timeouts } from './timeouts.ts'

/** The connections of clients: watches the progress of their requests and closes them without losing a response. */
export class Connections {
  readonly #timeouts: Timeouts
  readonly #open = new Map<Socket, Connection>()
  #checks: NodeJS.Timeout | undefined
  #isDraining = false

  constructor(timeouts: Timeouts) {
    this.#timeouts = timeouts
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  get metrics(): readonly Metric[] {
    const countInFlight = () => [...this.#open.values()].reduce((sum, { inFlight }) => sum + inFlight, 0)
    return [
      createGauge('souk_connections', 'Open connections of clients', () => this.#open.size),
      createGauge('souk_requests_in_flight', 'Requests without a complete response', countInFlight),
    ]
  }

  /**
   * Covers connections that other servers accepted and handed over, such as those with TLS: the server counts its own
   * only.
   */
  watch(server: Server): void {
    server.on('connection', (socket) => this.#add(socket))
  }

  /** To be called first for every request. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = this.#open.get(socket) ?? this.#add(socket)
    if (!connection) return
    if (!connection.begin(request, response)) socket.destroy()
    if (this.#isDraining) response.shouldKeepAlive = false
  }

  /** Responds to headers that do not parse or do not end in time. Returns the error if no request will log it. */
  refuse(error: ClientError, socket: Socket, requestId: string): ApiError | undefined {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const apiError = toApiError(error)
    if (this.#open.get(socket)?.fail(apiError)) return undefined
    sendClientError(apiError, socket, requestId)
    // A browser opens connections in advance, on which nothing may ever arrive.
    return socket.bytesRead > 0 ? apiError : undefined
  }

  /** Makes every response the last of its connection, so that clients move to another process. */
  drain(): void {
    this.#isDraining = true
    for (const connection of this.#open.values()) connection.closeAfterResponse()
  }

  /** Waits, up to a limit, until the server and all connections have closed, which happens after the last response. */
  async finish(closed: Promise<unknown>): Promise<void> {
    const late = setTimeout(() => {
      for (const socket of this.#open.keys()) socket.destroy()
    }, this.#timeouts.finishMilliseconds)
    try {
      await Promise.all([closed, this.#closeUnused()])
      await Promise.all([...this.#open.keys()].map(untilClosed))
    } finally {
      clearTimeout(late)
      clearInterval(this.#checks)
    }
  }

  /** A browser opens connections in advance. Node.js does not count them as idle. */
  async #closeUnused(): Promise<void> {
    // A request may have arrived on a connection that was accepted or handed over just now, and not be read yet.
    await untilPolled()
    for (const socket of this.#open.keys()) if (socket.bytesRead === 0) socket.destroy()
  }

  /** None for a request that was injected: it has no socket. */
  #add(socket: Socket): Connection | undefined {
    if (!(socket instanceof Socket)) return undefined
    const connection = new Connection(socket, this.#timeouts)
    this.#open.set(socket, connection)
    socket.once('close', () => this.#open.delete(socket))
    this.#checks ??= setInterval(() => this.#check(), checkEveryMilliseconds(this.#timeouts)).unref()
    return connection
  }

  #check(): void {
    const now = performance.now()
    for (const connection of this.#open.values()) connection.check(now)
  }
}

/** Waits until Node.js has read what had arrived on all sockets. It does so between two immediates, not before the first. */
async function untilPolled(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

const untilClosed = (socket: Socket) => (socket.closed ? undefined : once(socket, 'close'))
