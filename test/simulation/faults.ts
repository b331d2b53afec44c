export type Dependency = 'database' | 'documents' | 'messages'

/** `fail`: nothing happened. `loseResponse`: it happened, and the caller gets an error. `repeat`: it happened twice. */
export type FaultKind = 'fail' | 'loseResponse' | 'repeat'

/** What the next calls of each dependency suffer. */
export class Faults {
  injected = 0
  readonly #next = new Map<Dependency, { kind: FaultKind; calls: number }>()

  arm(dependency: Dependency, kind: FaultKind, calls: number): void {
    this.#next.set(dependency, { kind, calls })
  }

  take(dependency: Dependency): FaultKind | undefined {
    const next = this.#next.get(dependency)
    if (!next) return undefined
    if (--next.calls <= 0) this.#next.delete(dependency)
    this.injected++
    return next.kind
  }

  clear(): void {
    this.#next.clear()
  }
}
