import type { IdKind, Ids } from './port.ts'

// The schemas of these ids allow no other format.
const formats: Partial<Record<IdKind, (number: number) => string>> = {
  order: (number) => `900-0000000-${String(number).padStart(7, '0')}`,
  orderItem: (number) => String(number).padStart(14, '0'),
}

/** Ids that read well in a failing test: `request-0001`, `accessToken-0002`. Never secret. */
export class SequentialIds implements Ids {
  readonly #last: Map<IdKind, number>

  /** With another one, continues from where that is. */
  constructor(other?: SequentialIds) {
    this.#last = new Map(other ? other.#last : [])
  }

  next(kind: IdKind): string {
    const number = (this.#last.get(kind) ?? 0) + 1
    this.#last.set(kind, number)
    const format = formats[kind]
    if (format) return format(number)
    return `${kind}-${String(number).padStart(4, '0')}`
  }
}
