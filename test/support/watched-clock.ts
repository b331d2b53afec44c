import { ManualClock } from '../../src/index.ts'

/** A clock that stands still and tells when somebody waits on it: a test that moves it too early moves nobody. */
export class WatchedClock extends ManualClock {
  readonly #asleep = new Map<number, number>()
  readonly #watchers = new Set<() => void>()

  override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const sleeping = super.sleep(milliseconds, signal)
    this.#count(milliseconds, 1)
    await sleeping
    this.#count(milliseconds, -1)
  }

  /** Resolves when so many wait for exactly that long. */
  async untilAsleep(milliseconds: number, count = 1): Promise<void> {
    while ((this.#asleep.get(milliseconds) ?? 0) < count) {
      await new Promise<void>((resolve) => this.#watchers.add(resolve))
    }
  }

  #count(milliseconds: number, change: number): void {
    this.#asleep.set(milliseconds, (this.#asleep.get(milliseconds) ?? 0) + change)
    for (const tell of this.#watchers) tell()
    this.#watchers.clear()
  }
}
