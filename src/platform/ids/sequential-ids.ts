import type { IdKind, Ids } from './port.ts'

// The schemas of these ids allow no other format.
const formats: Partial<Record<IdKind, (number: number) => string>> = {
  order: (number) => `900-0000000-${String(number).padStart(7, '0')}`,
  orderItem: (number) => String(number).padStart(14, '0'),
}

/** What gives access. */
const SECRETS: ReadonlySet<IdKind> = new Set([
  'accessToken',
  'refreshToken',
  'restrictedDataToken',
  'authorizationCode',
  'clientSecret',
  'signingKey',
  'consoleSession',
])

/** Ids that read well in a failing test: `request-0001`, `accessToken-0002`. Never secret. */
export class SequentialIds implements Ids {
  readonly #last: Map<IdKind, number>

  readonly #owner: string | undefined

  /** With another one, continues from where that is. With an owner, tokens and secrets differ from those of other owners. */
  constructor(other?: SequentialIds, owner?: string) {
    this.#last = new Map(other ? other.#last : [])
    this.#owner = owner
  }

  next(kind: IdKind): string {
    const number = (this.#last.get(kind) ?? 0) + 1
    this.#last.set(kind, number)
    const format = formats[kind]
    if (format) return format(number)
    const id = `${kind}-${String(number).padStart(4, '0')}`
    return this.#owner !== undefined && SECRETS.has(kind) ? `${id}-${this.#owner}` : id
  }
}
