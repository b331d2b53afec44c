import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { setsOwnPace } from './connection.ts'

// Proxies close a connection on which nothing is sent, often after a minute.
const HEARTBEAT_MILLISECONDS = 15_000
/** How many heartbeats a client may leave unread. */
const MAX_UNREAD_HEARTBEATS = 4
const MAX_BUFFERED_BYTES = 64 * 1024

/** Server-sent events to one client. Memory is bounded: a client that reads too slowly does not get every event. */
export class EventStream {
  readonly #readable: Readable
  readonly #heartbeat: NodeJS.Timeout
  #isFull = false
  #isEnded = false
  #unread = 0
  /** Resolves when the client has left or the stream was ended. */
  readonly closed: Promise<void>

  constructor({ maxBufferedBytes = MAX_BUFFERED_BYTES } = {}) {
    this.#readable = new Readable({
      highWaterMark: maxBufferedBytes,
      read: () => {
        this.#isFull = false
        this.#unread = 0
      },
    })
    this.closed = new Promise((resolve) => this.#readable.once('close', resolve))
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MILLISECONDS).unref()
    void this.closed.then(() => clearInterval(this.#heartbeat))
    // The client gets the headers with the first bytes.
    this.#push(': connected\n\n')
  }

  /** Whether the client has not read what was sent to it. Events are then discarded. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Returns false if the event was discarded. */
  send(event: string, data: object, id?: string): boolean {
    if (this.#isFull || this.#isEnded || this.#readable.destroyed) return false
    this.#push(formatEvent(event, data, id))
    return true
  }

  /** Sends a last event, also to a client that has not read what was sent to it. */
  endWith(event: string, data: object): void {
    if (!this.#readable.destroyed && !this.#isEnded) this.#push(formatEvent(event, data))
    this.end()
  }

  /** What was sent before still arrives, unless the client leaves it unread for too long. */
  end(): void {
    if (!this.#readable.destroyed && !this.#isEnded) this.#readable.push(null)
    this.#isEnded = true
  }

  /** Does not wait for a client that has not read what was sent to it. */
  stop(): void {
    if (this.#isFull) this.#readable.destroy()
    else this.end()
  }

  /** For a handler without a promise. */
  respond(reply: Pick<FastifyReply, 'raw' | 'type' | 'header' | 'send'>): void {
    setsOwnPace(reply.raw)
    reply.type('text/event-stream').header('cache-control', 'no-store').send(this.#readable)
  }

  #push(text: string): void {
    this.#isFull = !this.#readable.push(text)
  }

  #beat(): void {
    this.#unread++
    if (!this.#isFull && !this.#isEnded) this.#push(': \n\n')
    else if (this.#unread > MAX_UNREAD_HEARTBEATS) this.#readable.destroy()
  }
}

const formatEvent = (event: string, data: object, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
