import { requireValidTime, type VirtualClock } from './port.ts'
import { Sleepers } from './sleepers.ts'

// setTimeout holds 31 bits of milliseconds and fires at once for more, so a longer sleep is taken in parts.
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1

/** Real time plus an offset that can be moved. `souk serve` never moves it. */
export class SystemClock implements VirtualClock {
  #offset: number
  readonly #sleepers = new Sleepers()

  constructor(offsetMilliseconds = 0) {
    this.#offset = offsetMilliseconds
  }

  get offsetMilliseconds(): number {
    return this.#offset
  }

  now(): Date {
    return new Date(Date.now() + this.#offset)
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const wakeAt = Date.now() + this.#offset + milliseconds
    while (!signal?.aborted) {
      const left = wakeAt - (Date.now() + this.#offset)
      if (left <= 0) return
      await this.#sleepers.sleepUntil(wakeAt, signal, (wake) => {
        const timer = setTimeout(wake, Math.min(left, MAX_TIMER_MILLISECONDS))
        return () => clearTimeout(timer)
      })
    }
  }

  advance(milliseconds: number): void {
    requireValidTime(Date.now() + this.#offset + milliseconds)
    this.#offset += milliseconds
    this.#sleepers.wakeUntil(Date.now() + this.#offset)
  }

  reset(): void {
    this.#offset = 0
    this.#sleepers.wakeUntil(Date.now())
  }

  onMove(listener: () => void): () => void {
    return this.#sleepers.onMove(listener)
  }
}
