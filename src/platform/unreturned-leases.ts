import type { Clock } from './clock/port.ts'

const RETRY_MILLISECONDS = 1_000

interface Options {
  clock: Clock
  leaseSeconds: number
}

/**
 * What this worker may hold although it does no work for it, because the database became unavailable before it could be
 * returned. It is returned when the database is back: otherwise it would wait until its lease ends. Until then it is
 * returned again each second, because what another transaction has locked is not waited for.
 */
export class UnreturnedLeases<Held> {
  readonly #options: Options
  readonly #held = new Map<string, { held: Held; until: number }>()
  #triedAt = Number.NEGATIVE_INFINITY

  constructor(options: Options) {
    this.#options = options
  }

  /** `id` identifies what is held among all that is. */
  add(id: string, held: Held): void {
    const { clock, leaseSeconds } = this.#options
    this.#held.set(id, { held, until: clock.now().getTime() + leaseSeconds * 1000 })
    this.#triedAt = Number.NEGATIVE_INFINITY
  }

  async returnAll(giveBack: (held: readonly Held[]) => Promise<unknown>): Promise<void> {
    if (this.#held.size === 0) return
    const now = this.#options.clock.now().getTime()
    // The clock may have been set back.
    if (Math.abs(now - this.#triedAt) < RETRY_MILLISECONDS) return
    for (const [id, { until }] of this.#held) if (until <= now) this.#held.delete(id)
    if (this.#held.size === 0) return
    this.#triedAt = now
    await giveBack([...this.#held.values()].map(({ held }) => held))
  }
}

/** Leases under which no work was begun: their claim was not confirmed, and may even be committed later. */
export class UnconfirmedLeases extends UnreturnedLeases<string> {
  async claim<Result>(lease: string, write: () => Promise<Result>): Promise<Result> {
    try {
      return await write()
    } catch (error) {
      this.add(lease, lease)
      throw error
    }
  }
}
