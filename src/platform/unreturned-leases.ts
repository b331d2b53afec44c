/**
 * Leases that this worker may hold although it does no work under them: the database became unavailable before it
 * confirmed the claim, or before they were returned. Returned when it is back, before anything else is claimed: what
 * they hold would otherwise wait until they expire.
 */
export class UnreturnedLeases {
  #leases = new Set<string>()

  add(lease: string): void {
    this.#leases.add(lease)
  }

  /** Claims work under a new lease, or returns one. */
  async unlessFails<Result>(lease: string, write: () => Promise<Result>): Promise<Result> {
    try {
      return await write()
    } catch (error) {
      this.add(lease)
      throw error
    }
  }

  async returnAll(giveBack: (leases: readonly string[]) => Promise<unknown>): Promise<void> {
    if (this.#leases.size === 0) return
    const leases = [...this.#leases]
    // Not cleared afterwards: one may be added again meanwhile.
    this.#leases.clear()
    try {
      await giveBack(leases)
    } catch (error) {
      for (const lease of leases) this.add(lease)
      throw error
    }
  }
}
