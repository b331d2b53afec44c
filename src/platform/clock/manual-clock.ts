import { requireValidTime, type VirtualClock } from './port.ts'
import { Sleepers } from './sleepers.ts'

/** Stands still until it is moved, so a test says exactly when things happen. */
export class ManualClock implements VirtualClock {
  readonly #start: number
  #now: number
  readonly #sleepers = new Sleepers()

  constructor(start: Date | string) {
    this.#start = new Date(start).getTime()
    if (Number.isNaN(this.#start)) throw new RangeError(`${JSON.stringify(start)} is not a date`)
    this.#now = this.#start
  }

  get offsetMilliseconds(): number {
    return this.#now - this.#start
  }

  now(): Date {
    return new Date(this.#now)
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (milliseconds <= 0) return Promise.resolve()
    return this.#sleepers.sleep({ now: this.#now, milliseconds }, signal)
  }

  advance(milliseconds: number): void {
    this.#now = requireValidTime(this.#now + milliseconds)
    this.#sleepers.wakeUntil(this.#now)
  }

  set(time: Date): void {
    this.#now = requireValidTime(time.getTime())
    this.#sleepers.wakeUntil(this.#now)
  }

  readonly isFrozen = true

  /** It stands still anyway. */
  freeze(): void {}

  unfreeze(): void {}

  reset(): void {
    this.#now = this.#start
    this.#sleepers.wakeUntil(this.#now)
  }

  onMove(listener: () => void): () => void {
    return this.#sleepers.onMove(listener)
  }
}
