import type { Clock } from './clock/port.ts'
import { SystemClock } from './clock/system-clock.ts'
import { DeadlineError, withDeadline } from './deadline.ts'

const realClock = new SystemClock()

const POLL_MILLISECONDS = 500
// Each failure is logged, and an outage can last for hours.
const PAUSE_AFTER_FAILURE_MILLISECONDS = 1_000
// In real time, and less than the time a process has to stop.
const STOP_WITHIN_MILLISECONDS = 8_000

/** How long to rest: by the loop's clock until the next known work, or in real time if that is over first. */
export interface Rest {
  milliseconds: number
  realMilliseconds?: number
}

/** Polls for work until stopped and tracks the work that is running. */
export abstract class WorkLoop {
  readonly #clock: Clock
  readonly #running = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #abandoning = new AbortController()
  readonly #loop: Promise<void>
  #sleep: AbortController | undefined
  #stopped: Promise<void> | undefined
  #wakeRequested = false
  #idleListeners: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
    this.#loop = this.#run()
  }

  /** Starts the work that is due. Returns when to poll again, unless woken. */
  protected abstract poll(): Promise<Rest>

  /** A poll failed. The loop polls again. */
  protected abstract onPollError(error: unknown): void

  /** The loop was stopped, and the work with these ids did not finish in time. */
  protected abstract onAbandoned(ids: readonly string[]): void

  /** Aborts when the loop is stopped. */
  protected get signal(): AbortSignal {
    return this.#stopping.signal
  }

  /** Aborts when unfinished work is abandoned. */
  protected get abandoned(): AbortSignal {
    return this.#abandoning.signal
  }

  protected get running(): string[] {
    return [...this.#running.keys()]
  }

  /** Tracks work, which must not reject, and polls again when it is done. */
  protected track(id: string, work: Promise<void>): void {
    const done = work.finally(() => {
      this.#running.delete(id)
      this.wake()
    })
    this.#running.set(id, done)
  }

  /** Polls now. */
  wake(): void {
    this.#wakeRequested = true
    this.#sleep?.abort()
  }

  /**
   * Resolves when no work is running and none is due, as of a poll that starts after the call. Work that waits until an
   * unavailable dependency is tried again does not count: an outage can last for hours.
   */
  idle(): Promise<void> {
    if (this.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idleListeners.push(resolve)
      this.wake()
    })
  }

  /** Called by `poll` when no work is running and none is due. */
  protected notifyIdle(): void {
    // Callers that arrived during this poll wait for the next one.
    if (this.#wakeRequested && !this.signal.aborted) return
    for (const resolve of this.#idleListeners.splice(0)) resolve()
  }

  /** Resolves when all work is done, or after a few seconds. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    await withDeadline(STOP_WITHIN_MILLISECONDS, () => this.#whenDone()).catch((error: unknown) => {
      if (!(error instanceof DeadlineError)) throw error
    })
    this.#abandoning.abort()
    if (this.#running.size > 0) this.onAbandoned(this.running)
    this.notifyIdle()
  }

  async #whenDone(): Promise<void> {
    await this.#loop
    await Promise.all(this.#running.values())
  }

  async #run(): Promise<void> {
    // The fields of the subclass are not initialized yet.
    await Promise.resolve()
    while (!this.signal.aborted) {
      this.#wakeRequested = false
      let rest: Rest = { milliseconds: PAUSE_AFTER_FAILURE_MILLISECONDS }
      try {
        const { milliseconds, ...real } = await this.poll()
        rest = { milliseconds: Math.min(POLL_MILLISECONDS, Math.max(milliseconds, 1)), ...real }
      } catch (error) {
        this.onPollError(error)
      }
      await this.#sleepUntilWoken(rest)
    }
  }

  async #sleepUntilWoken({ milliseconds, realMilliseconds = Number.POSITIVE_INFINITY }: Rest): Promise<void> {
    if (this.#wakeRequested || this.signal.aborted) return
    const sleep = new AbortController()
    this.#sleep = sleep
    const sleeps = [this.#clock.sleep(milliseconds, sleep.signal)]
    if (Number.isFinite(realMilliseconds)) sleeps.push(realClock.sleep(realMilliseconds, sleep.signal))
    await Promise.race(sleeps)
    sleep.abort()
    this.#sleep = undefined
  }
}
