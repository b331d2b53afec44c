import { ManualClock } from '../../src/index.ts'

/** A manual clock that reports when code sleeps on it, so that a test does not advance it too early. */
export class WatchedClock extends ManualClock {
  readonly #asleep = new Map<number, number>()
  readonly #watchers = new Set<() => void>()

  override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const sleeping = super.sleep(milliseconds, signal)
    this.#count(milliseconds, 1)
    await sleeping
    this.#count(milliseconds, -1)
  }

  /** Resolves when `count` sleeps of exactly this length are pending. */
  async untilAsleep(milliseconds: number, count = 1): Promise<void> {
    while ((this.#asleep.get(milliseconds) ?? 0) < count) {
      await new Promise<void>((resolve) => this.#watchers.add(resolve))
    }
  }

  #count(milliseconds: number, change: number): void {
    this.#asleep.set(milliseconds, (this.#asleep.get(milliseconds) ?? 0) + change)
    for (const notify of this.#watchers) notify()
    this.#watchers.clear()
  }
}
