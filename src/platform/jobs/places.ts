/**
 * The places of a worker for jobs that run at the same time. Of three or more, jobs of one kind leave one to the others:
 * feeds of a few sellers, which take a minute each, would delay everything else.
 */
export class Places {
  readonly #total: number
  readonly #perKind: number
  readonly #taken = new Map<string, number>()

  constructor(kinds: readonly string[], total: number) {
    this.#total = total
    this.#perKind = kinds.length > 1 && total >= 3 ? total - 1 : total
  }

  get free(): number {
    return this.#total - [...this.#taken.values()].reduce((sum, count) => sum + count, 0)
  }

  /** How many jobs may begin, whichever of these kinds they are. */
  freeFor(kinds: readonly string[]): number {
    return Math.min(this.free, ...kinds.map((kind) => this.#perKind - (this.#taken.get(kind) ?? 0)))
  }

  /** Returns a function that frees the place. */
  take(kind: string): () => void {
    this.#taken.set(kind, (this.#taken.get(kind) ?? 0) + 1)
    return () => void this.#taken.set(kind, (this.#taken.get(kind) ?? 1) - 1)
  }
}
