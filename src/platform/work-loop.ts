import type { Clock } from './clock/port.ts'

export interface WorkLoopOptions {
  clock: Clock
  /** Begins what is due. Answers for how many milliseconds there will be nothing to do, as far as is known. */
  poll(): Promise<number>
  /** Looking failed, which is no reason to stop. */
  onPollError(error: unknown): void
  /** It was stopped, and these did not end in time. */
  onAbandoned(ids: readonly string[]): void
}

const POLL_MILLISECONDS = 500
// Each failure is logged, and an outage may last for hours.
const PAUSE_AFTER_FAILURE_MILLISECONDS = 1_000
// Less than a process has for stopping as a whole.
const STOP_WITHIN_MILLISECONDS = 8_000

/** Looks for work again and again, rests while there is none, and keeps what has begun in hand, until it is stopped. */
export class WorkLoop {
  readonly #options: WorkLoopOptions
  readonly #running = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #abandoning = new AbortController()
  readonly #loop: Promise<void>
  #sleep: AbortController | undefined
  #stopped: Promise<void> | undefined
  #wakeRequested = false
  #idleListeners: (() => void)[] = []

  constructor(options: WorkLoopOptions) {
    this.#options = options
    this.#loop = this.#run()
  }

  /** Aborts when it is to end. */
  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  /** Aborts when what did not end in time is not waited for any longer. */
  get abandoned(): AbortSignal {
    return this.#abandoning.signal
  }

  get running(): string[] {
    return [...this.#running.keys()]
  }

  /** Takes a piece of work in hand, which must not fail. There is another look when it is done. */
  track(id: string, work: Promise<void>): void {
    const done = work.finally(() => {
      this.#running.delete(id)
      this.wake()
    })
    this.#running.set(id, done)
  }

  /** Look now. */
  wake(): void {
    this.#wakeRequested = true
    this.#sleep?.abort()
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
  notifyIdle(): void {
    // Those who came while something was being looked for wait for the next look.
    if (this.#wakeRequested && !this.signal.aborted) return
    for (const resolve of this.#idleListeners.splice(0)) resolve()
  }

  /** Resolves when nothing is in hand any more, or when what is left has had its time. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    const ended = new AbortController()
    const deadline = this.#options.clock.sleep(STOP_WITHIN_MILLISECONDS, ended.signal)
    await Promise.race([this.#whenDone(), deadline])
    ended.abort()
    this.#abandoning.abort()
    if (this.#running.size > 0) this.#options.onAbandoned(this.running)
    this.notifyIdle()
  }

  async #whenDone(): Promise<void> {
    await this.#loop
    await Promise.all(this.#running.values())
  }

  async #run(): Promise<void> {
    // The creator of the loop has it before the first poll.
    await Promise.resolve()
    while (!this.signal.aborted) {
      this.#wakeRequested = false
      let rest = PAUSE_AFTER_FAILURE_MILLISECONDS
      try {
        rest = Math.min(POLL_MILLISECONDS, Math.max(await this.#options.poll(), 1))
      } catch (error) {
        this.#options.onPollError(error)
      }
      await this.#sleepUntilWoken(rest)
    }
  }

  async #sleepUntilWoken(milliseconds: number): Promise<void> {
    if (this.#wakeRequested || this.signal.aborted) return
    this.#sleep = new AbortController()
    await this.#options.clock.sleep(milliseconds, this.#sleep.signal)
    this.#sleep = undefined
  }
}
