import { requireValidTime, type VirtualClock } from './port.ts'
import { Sleepers } from './sleepers.ts'

// setTimeout holds 31 bits of milliseconds and fires at once for more, so a longer sleep is taken in parts.
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1

/** Where a clock stands in relation to the system's: so many milliseconds ahead, or still at a time. */
export type ClockPosition = { offsetMilliseconds: number } | { frozenAtMilliseconds: number }

/** Real time plus an offset that can be moved, or a time that stands still. `souk serve` never moves it. */
export class SystemClock implements VirtualClock {
  // Numbers, not a position: every request asks for the time, and more than once.
  #aheadMilliseconds = 0
  #frozenAt: number | undefined
  readonly #sleepers = new Sleepers()

  constructor(position: ClockPosition = { offsetMilliseconds: 0 }) {
    this.#setPosition(position)
  }

  get position(): ClockPosition {
    return this.#frozenAt === undefined
      ? { offsetMilliseconds: this.#aheadMilliseconds }
      : { frozenAtMilliseconds: this.#frozenAt }
  }

  set position(position: ClockPosition) {
    this.#setPosition(position)
    this.#sleepers.wakeAll()
  }

  #setPosition(position: ClockPosition): void {
    this.#frozenAt = 'frozenAtMilliseconds' in position ? position.frozenAtMilliseconds : undefined
    this.#aheadMilliseconds = 'offsetMilliseconds' in position ? position.offsetMilliseconds : 0
  }

  get offsetMilliseconds(): number {
    return this.#frozenAt === undefined ? this.#aheadMilliseconds : this.#frozenAt - Date.now()
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined
  }

  now(): Date {
    return new Date(this.#milliseconds())
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    let wakeAt = this.#milliseconds() + milliseconds
    while (!signal?.aborted) {
      const now = this.#milliseconds()
      // After a move back, the wait is still no longer than asked.
      wakeAt = Math.min(wakeAt, now + milliseconds)
      const left = wakeAt - now
      if (left <= 0) return
      await this.#sleepers.sleep({ now, milliseconds: left }, signal, (wake) => {
        if (this.isFrozen) return () => {}
        const timer = setTimeout(wake, Math.min(left, MAX_TIMER_MILLISECONDS))
        return () => clearTimeout(timer)
      })
    }
  }

  advance(milliseconds: number): void {
    requireValidTime(this.#milliseconds() + milliseconds)
    this.position =
      this.#frozenAt === undefined
        ? { offsetMilliseconds: this.#aheadMilliseconds + milliseconds }
        : { frozenAtMilliseconds: this.#frozenAt + milliseconds }
  }

  set(time: Date): void {
    const milliseconds = requireValidTime(time.getTime())
    this.position = this.isFrozen
      ? { frozenAtMilliseconds: milliseconds }
      : { offsetMilliseconds: milliseconds - Date.now() }
  }

  freeze(): void {
    this.position = { frozenAtMilliseconds: this.#milliseconds() }
  }

  unfreeze(): void {
    this.position = { offsetMilliseconds: this.offsetMilliseconds }
  }

  reset(): void {
    this.position = { offsetMilliseconds: 0 }
  }

  onMove(listener: () => void): () => void {
    return this.#sleepers.onMove(listener)
  }

  #milliseconds(): number {
    return this.#frozenAt ?? Date.now() + this.#aheadMilliseconds
  }
}
