import type { ServerResponse } from 'node:http'
import { isFinished } from './is-finished.ts'
import type { Routes } from './route.ts'

// Finished responses are pruned when at least this many are tracked.
const MIN_TRACKED_RESPONSES = 64

/** Admits requests. Can be closed for exclusive work; requests then wait until the work is done. */
export class Gate {
  /** Responses in progress, and some finished ones: removing each with a listener would slow down every request. */
  #responses = new Set<ServerResponse>()
  #pruneAt = MIN_TRACKED_RESPONSES
  #closed: Promise<void> | undefined

  /** A hook on all routes. */
  readonly routes: Routes = (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      // It would wait for itself.
      if (request.routeOptions.config.exclusive) return done()
      this.#enter(reply.raw, done)
    })
  }

  /** Runs the work after all admitted requests have finished. Concurrent calls run one after another. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = (this.#closed ?? Promise.resolve()).then(() => this.#waitForResponses()).then(work)
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

  /** Resolves when no exclusive work is running. */
  async whenOpen(): Promise<void> {
    await this.#closed
  }

  #enter(response: ServerResponse, done: () => void): void {
    if (this.#closed) return void this.#closed.then(() => this.#enter(response, done))
    this.#responses.add(response)
    if (this.#responses.size >= this.#pruneAt) this.#pruneFinished()
    done()
  }

  #pruneFinished(): void {
    this.#responses = new Set([...this.#responses].filter((response) => !isFinished(response)))
    this.#pruneAt = Math.max(MIN_TRACKED_RESPONSES, 2 * this.#responses.size)
  }

  async #waitForResponses(): Promise<void> {
    this.#pruneFinished()
    await Promise.all([...this.#responses].map(untilFinished))
  }
}

const untilFinished = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    response.once('finish', resolve).once('close', resolve)
  })
