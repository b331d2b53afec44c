import type { RequestLog } from '../request-log.ts'

// Many requests may end at once, and each check reads the whole log.
const CHECK_AFTER_MILLISECONDS = 20
// The client under test needs the rest of the time.
const PAUSES_PER_CHECK = 10

/** Waits for requests, in real time: clients send them in real time. */
export class LogWaits {
  readonly #log: RequestLog
  readonly #ends = new Set<() => void>()

  constructor(log: RequestLog) {
    this.#log = log
  }

  /** Resolves when the condition is met, which is checked soon after each request, or when the time is over. */
  until(milliseconds: number, isMet: () => boolean): Promise<void> {
    if (milliseconds <= 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      let check: NodeJS.Timeout | undefined
      let pause = CHECK_AFTER_MILLISECONDS
      const end = () => {
        clearTimeout(check)
        clearTimeout(deadline)
        unwatch()
        this.#ends.delete(end)
        resolve()
      }
      const deadline = setTimeout(() => {
        // A client that left is noticed without a request that ends.
        isMet()
        end()
      }, milliseconds)
      const unwatch = this.#log.watch(() => {
        check ??= setTimeout(() => {
          check = undefined
          const startedAt = performance.now()
          try {
            if (isMet()) end()
          } catch (error) {
            end()
            reject(error)
          }
          pause = Math.max(CHECK_AFTER_MILLISECONDS, PAUSES_PER_CHECK * (performance.now() - startedAt))
        }, pause)
      })
      this.#ends.add(end)
    })
  }

  endAll(): void {
    for (const end of [...this.#ends]) end()
  }
}
