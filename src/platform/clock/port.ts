/** The only source of time. Tokens, quotas, windows and schedules all follow it, so moving it moves everything. */
export interface Clock {
  now(): Date
  /** Resolves after that much of this clock's time has passed, or at once when the signal aborts. Never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** A clock that can be moved forward by hand: what `souk dev` and the tests run on. */
export interface VirtualClock extends Clock {
  advance(milliseconds: number): void
  /** Back to the time that it would show had it never been moved. */
  reset(): void
  /** How far it has been moved in all. */
  readonly offsetMilliseconds: number
  /** Calls back each time it has been moved or reset. Answers how to stop that. */
  onMove(listener: () => void): () => void
}
