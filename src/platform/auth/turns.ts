import { ApiError } from '../errors/api-error.ts'

export interface TurnLimits {
  maxRunning: number
  maxWaiting: number
  /** The message of the error if too many wait. */
  errorMessage: string
}

/** Runs few pieces of work at once and lets some wait. */
export class Turns {
  readonly #limits: TurnLimits
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const { maxRunning, maxWaiting, errorMessage } = this.#limits
    if (this.#running < maxRunning) this.#running++
    else {
      if (this.#waiting.length >= maxWaiting) {
        throw new ApiError('ServiceUnavailable', errorMessage, 'Try again in a few seconds.', { retryAfterSeconds: 5 })
      }
      // The one that ends hands its place over.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
