import type { IdKind, Ids } from './port.ts'

/** Ids that read well in a failing test: `request-0001`, `accessToken-0002`. Never secret. */
export class SequentialIds implements Ids {
  readonly #last = new Map<IdKind, number>()

  next(kind: IdKind): string {
    const number = (this.#last.get(kind) ?? 0) + 1
    this.#last.set(kind, number)
    return `${kind}-${String(number).padStart(4, '0')}`
  }
}
