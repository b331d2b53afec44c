import type { Clock } from './clock/port.ts'

export interface LookoutOptions {
  clock: Clock
  /** Begins what is due. Answers for how many milliseconds there will be nothing to do, as far as is known. */
  look(): Promise<number>
  /** Looking failed, which is no reason to stop. */
  onFailure(error: unknown): void
  /** It was stopped, and these did not end in time. */
  onAbandoned(ids: readonly string[]): void
}

const POLL_MILLISECONDS = 500
// Each failure is logged, and an outage may last for hours.
const PAUSE_AFTER_FAILURE_MILLISECONDS = 1_000
// Less than a process has for stopping as a whole.
const STOP_WITHIN_MILLISECONDS = 8_000

/** Looks for work again and again, rests while there is none, and keeps what has begun in hand, until it is stopped. */
export class Lookout {
  readonly #options: LookoutOptions
  readonly #inHand = new Map<string, Promise<void>>()
  readonly #ending = new AbortController()
  readonly #abandoning = new AbortController()
  readonly #loop: Promise<void>
  #nap: AbortController | undefined
  #stopped: Promise<void> | undefined
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

  /** Aborts when what did not end in time is not waited for any longer. */
  get abandoned(): AbortSignal {
    return this.#abandoning.signal
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

  /** Resolves when nothing is in hand any more, or when what is left has had its time. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#ending.abort()
    this.wake()
    const ended = new AbortController()
    const timeIsUp = this.#options.clock.sleep(STOP_WITHIN_MILLISECONDS, ended.signal)
    await Promise.race([this.#allDone(), timeIsUp])
    ended.abort()
    this.#abandoning.abort()
    if (this.#inHand.size > 0) this.#options.onAbandoned(this.inHand)
    this.tellIdle()
  }

  async #allDone(): Promise<void> {
    await this.#loop
    await Promise.all(this.#inHand.values())
  }

  async #work(): Promise<void> {
    // Whoever makes a lookout has it before the first look.
    await Promise.resolve()
    while (!this.signal.aborted) {
      this.#somethingNew = false
      let rest = PAUSE_AFTER_FAILURE_MILLISECONDS
      try {
        rest = Math.min(POLL_MILLISECONDS, Math.max(await this.#options.look(), 1))
      } catch (error) {
        this.#options.onFailure(error)
      }
      await this.#rest(rest)
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    if (this.#somethingNew || this.signal.aborted) return
    this.#nap = new AbortController()
    await this.#options.clock.sleep(milliseconds, this.#nap.signal)
    this.#nap = undefined
  }
}
