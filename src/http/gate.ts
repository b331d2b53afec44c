import type { Routes } from './route.ts'

/** Lets requests through, and can be closed for work that must be alone: requests then wait until it is done. */
export class Gate {
  #inside = 0
  #tellEmpty: (() => void) | undefined
  #closed: Promise<void> | undefined

  /** A hook on all routes. */
  readonly routes: Routes = (app) => {
    app.addHook('onRequest', (_request, reply, done) => {
      const enter = () => {
        if (this.#closed) return void this.#closed.then(enter)
        // Of a client that has left while it waited, no end will be told.
        if (!reply.raw.destroyed) this.#count(reply.raw)
        done()
      }
      enter()
    })
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

  #count(response: NodeJS.EventEmitter): void {
    let isInside = true
    const leave = () => {
      if (!isInside) return
      isInside = false
      if (--this.#inside === 0) this.#tellEmpty?.()
    }
    this.#inside++
    // An answer that is cut off does not finish, and one without a socket does not close.
    response.once('finish', leave).once('close', leave)
  }

  #empty(): Promise<void> {
    if (this.#inside === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#tellEmpty = resolve
    })
  }
}
