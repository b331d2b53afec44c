import type { ServerResponse } from 'node:http'
import { isFinished } from './is-finished.ts'
import type { Routes } from './route.ts'

// So many answers are kept at least before those that are over are forgotten.
const MIN_TRACKED_RESPONSES = 64

/** Lets requests through, and can be closed for work that must be alone: requests then wait until it is done. */
export class Gate {
  /** Responses that were in progress, some of them finished: a listener for each would cost every request. */
  #responses = new Set<ServerResponse>()
  #pruneAt = MIN_TRACKED_RESPONSES
  #closed: Promise<void> | undefined

  /** A hook on all routes. */
  readonly routes: Routes = (app) => {
    app.addHook('onRequest', (_request, reply, done) => this.#enter(reply.raw, done))
  }

  /** Does the work once all requests that are inside have been answered. One piece of work after the other. */
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

  /** Resolves when no work is being done alone. */
  async whenOpen(): Promise<void> {
    await this.#closed
  }

  #enter(answer: ServerResponse, done: () => void): void {
    if (this.#closed) return void this.#closed.then(() => this.#enter(answer, done))
    this.#responses.add(answer)
    if (this.#responses.size >= this.#pruneAt) this.#pruneFinished()
    done()
  }

  #pruneFinished(): void {
    this.#responses = new Set([...this.#responses].filter((answer) => !isFinished(answer)))
    this.#pruneAt = Math.max(MIN_TRACKED_RESPONSES, 2 * this.#responses.size)
  }

  async #waitForResponses(): Promise<void> {
    this.#pruneFinished()
    await Promise.all([...this.#responses].map(untilFinished))
  }
}

const untilFinished = (answer: ServerResponse) =>
  new Promise<void>((resolve) => {
    answer.once('finish', resolve).once('close', resolve)
  })
