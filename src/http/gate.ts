import type { ServerResponse } from 'node:http'
import type { Routes } from './route.ts'

// So many answers are kept at least before those that are over are forgotten.
const FEWEST_KEPT = 64

/** Lets requests through, and can be closed for work that must be alone: requests then wait until it is done. */
export class Gate {
  /** Answers that were under way, some of them over by now: a listener for the end of each would cost every request. */
  #answers = new Set<ServerResponse>()
  #forgetAt = FEWEST_KEPT
  #closed: Promise<void> | undefined

  /** A hook on all routes. */
  readonly routes: Routes = (app) => {
    app.addHook('onRequest', (_request, reply, done) => this.#enter(reply.raw, done))
  }

  /** Does the work once all requests that are inside have been answered. One piece of work after the other. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = (this.#closed ?? Promise.resolve()).then(() => this.#empty()).then(work)
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
  async opened(): Promise<void> {
    await this.#closed
  }

  #enter(answer: ServerResponse, done: () => void): void {
    if (this.#closed) return void this.#closed.then(() => this.#enter(answer, done))
    this.#answers.add(answer)
    if (this.#answers.size >= this.#forgetAt) this.#forgetThoseOver()
    done()
  }

  #forgetThoseOver(): void {
    this.#answers = new Set([...this.#answers].filter((answer) => !isOver(answer)))
    this.#forgetAt = Math.max(FEWEST_KEPT, 2 * this.#answers.size)
  }

  async #empty(): Promise<void> {
    this.#forgetThoseOver()
    await Promise.all([...this.#answers].map(untilOver))
  }
}

// An answer that is cut off does not finish, and one without a socket does not close.
const isOver = (answer: ServerResponse) => answer.writableFinished || answer.destroyed

const untilOver = (answer: ServerResponse) =>
  new Promise<void>((resolve) => {
    answer.once('finish', resolve).once('close', resolve)
  })
