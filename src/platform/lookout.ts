import type { Clock } from './clock/port.ts'

export interface LookoutOptions {
  clock: Clock
  /** Begins what is due. Answers for how many milliseconds there will be nothing to do, as far as is known. */
  look(): Promise<number>
  /** Looking failed, which is no reason to stop. */
  onFailure(error: unknown): void
}

const POLL_MILLISECONDS = 500

/** Looks for work again and again, rests while there is none, and keeps what has begun in hand, until it is stopped. */
export class Lookout {
  readonly #options: LookoutOptions
  readonly #inHand = new Map<string, Promise<void>>()
  readonly #ending = new AbortController()
  readonly #loop: Promise<void>
  #nap: AbortController | undefined
  #somethingNew = false
  #idleListeners: (() => void)[] = []

  constructor(options: LookoutOptions) {
    this.#options = options
    this.#loop = this.#work()
  }

  /** Aborts when it is to end. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  get inHand(): string[] {
    return [...this.#inHand.keys()]
  }

  /** Takes a piece of work in hand, which must not fail. There is another look when it is done. */
  take(id: string, work: Promise<void>): void {
    const done = work.finally(() => {
      this.#inHand.delete(id)
      this.wake()
    })
    this.#inHand.set(id, done)
  }

  /** Look now. */
  wake(): void {
    this.#somethingNew = true
    this.#nap?.abort()
  }

  /** Resolves when `tellIdle` is called after a look that began later than this. */
  idle(): Promise<void> {
    if (this.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idleListeners.push(resolve)
      this.wake()
    })
  }

  /** There is nothing to do at present. */
  tellIdle(): void {
    // Those who came while something was being looked for wait for the next look.
    if (this.#somethingNew && !this.signal.aborted) return
    for (const resolve of this.#idleListeners.splice(0)) resolve()
  }

  /** Resolves when nothing is in hand any more. */
  async stop(): Promise<void> {
    this.#ending.abort()
    this.wake()
    await this.#loop
    await Promise.all(this.#inHand.values())
    this.tellIdle()
  }

  async #work(): Promise<void> {
    // Whoever makes a lookout has it before the first look.
    await Promise.resolve()
    while (!this.signal.aborted) {
      this.#somethingNew = false
      let wait = POLL_MILLISECONDS
      try {
        wait = await this.#options.look()
      } catch (error) {
        this.#options.onFailure(error)
      }
      await this.#rest(Math.min(POLL_MILLISECONDS, Math.max(wait, 1)))
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    if (this.#somethingNew || this.signal.aborted) return
    this.#nap = new AbortController()
    await this.#options.clock.sleep(milliseconds, this.#nap.signal)
    this.#nap = undefined
  }
}
