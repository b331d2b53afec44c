interface Sleeper {
  wakeAt: number
  milliseconds: number
  wake(): void
}

/** Sleepers and listeners of a virtual clock. Moving the clock calls `wakeUntil`. */
export class Sleepers {
  readonly #sleepers = new Set<Sleeper>()
  readonly #listeners = new Set<() => void>()

  onMove(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves when woken by `wakeUntil` or by the signal. `onSleep` may start a real timer and returns how to stop it. */
  sleep(
    { now, milliseconds }: { now: number; milliseconds: number },
    signal?: AbortSignal,
    onSleep?: (wake: () => void) => () => void,
  ): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(sleeper)
        signal?.removeEventListener('abort', wake)
        stop?.()
        resolve()
      }
      const sleeper: Sleeper = { wakeAt: now + milliseconds, milliseconds, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', wake, { once: true })
      const stop = onSleep?.(wake)
    })
  }

  /** For sleepers that look at the clock themselves, and sleep again if they are not due. */
  wakeAll(): void {
    this.wakeUntil(Number.POSITIVE_INFINITY)
  }

  wakeUntil(now: number): void {
    for (const sleeper of [...this.#sleepers]) {
      // After a move back, the wait is still no longer than asked.
      sleeper.wakeAt = Math.min(sleeper.wakeAt, now + sleeper.milliseconds)
      if (sleeper.wakeAt <= now) sleeper.wake()
    }
    for (const listener of this.#listeners) listener()
  }
}
