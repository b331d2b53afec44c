import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { DeadlineError, withDeadline } from '../platform/deadline.ts'
import { isFinished } from './is-finished.ts'
import type { Routes } from './route.ts'

// Finished responses are pruned when at least this many are tracked.
const MIN_TRACKED_RESPONSES = 64
const HANDLER = Symbol('handler')
/** Real time that exclusive work waits for a client to send its body or to read its response. */
const SLOW_CLIENT_MILLISECONDS = 3_000

/**
 * A response with its running handler, which outlives it if its client is gone. Not a Map of handlers: each table of a Map
 * refers to the next one, larger or cleaned up. One table in the memory of old objects keeps all later ones with
 * their responses from being collected young, which took a tenth of the time of requests.
 */
type Tracked = ServerResponse & { [HANDLER]?: Promise<unknown> | undefined }

type Handle = (this: unknown, request: FastifyRequest, reply: FastifyReply) => unknown

/** Admits requests. Can be closed for exclusive work; requests then wait until the work is done. */
export class Gate {
  readonly #slowClientMilliseconds: number
  /** Responses in progress, and some finished ones: removing each with a listener would slow down every request. */
  #responses: Tracked[] = []
  #pruneAt = MIN_TRACKED_RESPONSES
  #closed: Promise<void> | undefined

  constructor({ slowClientMilliseconds = SLOW_CLIENT_MILLISECONDS } = {}) {
    this.#slowClientMilliseconds = slowClientMilliseconds
  }

  /** Hooks on the routes that are registered from now on. */
  readonly routes: Routes = (app) => {
    const enter: onRequestHookHandler = (_request, reply, done) => this.#enter(reply.raw, done)
    app.addHook('onRoute', (route) => {
      if (route.config?.exclusive || route.config?.ungated) return
      route.handler = this.#tracked(route.handler as Handle)
      const hooks = [route.onRequest ?? []].flat() as onRequestHookHandler[]
      // Hooks with a callback do not change data.
      route.onRequest = [enter, ...hooks.map((hook) => (hook.length < 3 ? this.#tracked(hook as Handle) : hook))]
    })
  }

  /** Runs the work after all admitted requests are over. Concurrent calls run one after another. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = (this.#closed ?? Promise.resolve()).then(() => this.#waitForRequests()).then(work)
    const over = result.then(
      () => {},
      () => {},
    )
    this.#closed = over
    void over.then(() => {
      if (this.#closed === over) this.#closed = undefined
    })
    return result
  }

  get isOpen(): boolean {
    return this.#closed === undefined
  }

  /** Resolves when no exclusive work is running. */
  async whenOpen(): Promise<void> {
    while (this.#closed) await this.#closed
  }

  /** Whether that is so within this real time. */
  async isOpenWithin(milliseconds: number): Promise<boolean> {
    await withDeadline(milliseconds, () => this.whenOpen()).catch(unlessLate)
    return this.isOpen
  }

  #enter(response: ServerResponse, done: () => void): void {
    if (this.#closed) return void this.#closed.then(() => this.#enter(response, done))
    this.#responses.push(response)
    if (this.#responses.length >= this.#pruneAt) this.#pruneFinished()
    done()
  }

  #pruneFinished(): void {
    this.#responses = this.#responses.filter((response) => response[HANDLER] || !isFinished(response))
    this.#pruneAt = Math.max(MIN_TRACKED_RESPONSES, 2 * this.#responses.length)
  }

  #tracked(handle: Handle): Handle {
    const gate = this
    return function tracked(this: unknown, request, reply): unknown {
      const response: Tracked = reply.raw
      // Its client left before it began, so exclusive work does not wait for it.
      if (gate.#closed && isFinished(response)) return gate.#closed.then(() => tracked.call(this, request, reply))
      const result = handle.call(this, request, reply)
      if (result instanceof Promise) {
        track(response, result)
        // Its client left before it began, and it may have been pruned.
        if (isFinished(response)) gate.#responses.push(response)
      }
      return result
    }
  }

  async #waitForRequests(): Promise<void> {
    this.#pruneFinished()
    await Promise.all(this.#responses.map((response) => this.#untilOver(response)))
  }

  async #untilOver(response: Tracked): Promise<void> {
    for (;;) {
      const handler = response[HANDLER]
      if (handler && (isFinished(response) || !isReceiving(response))) await Promise.allSettled([handler])
      else if (isFinished(response)) return
      else await this.#waitForClient(response)
    }
  }

  /** A client that is too slow loses its connection. */
  async #waitForClient(response: Tracked): Promise<void> {
    const isOver = await isFinishedWithin(response, this.#slowClientMilliseconds)
    if (isOver || isFinished(response)) return
    if (response[HANDLER] && !isReceiving(response)) return
    response.destroy()
    // A response that waits for an earlier one on its connection has no socket.
    response.req.socket.destroy?.()
  }
}

function track(response: Tracked, handler: Promise<unknown>): void {
  const untrack = () => {
    response[HANDLER] = undefined
  }
  response[HANDLER] = handler
  handler.then(untrack, untrack)
}

function unlessLate(error: unknown): void {
  if (!(error instanceof DeadlineError)) throw error
}

/** Undefined for requests that were injected. */
const isReceiving = ({ req }: ServerResponse) => req.complete === false

const isFinishedWithin = (response: ServerResponse, milliseconds: number) =>
  new Promise<boolean>((resolve) => {
    const finish = () => end(true)
    const timer = setTimeout(() => end(false), milliseconds)
    response.once('finish', finish).once('close', finish)
    function end(isFinished: boolean): void {
      clearTimeout(timer)
      response.off('finish', finish).off('close', finish)
      resolve(isFinished)
    }
  })
