import { invalidParameter } from '../../platform/errors/api-error.ts'
import { findSimilar } from '../../platform/similar-words.ts'
import { callerFieldsOf, createFieldIndex, loggedSubjectsOf, type OperationRoute } from '../operation-fields.ts'
import { SUBJECTS } from '../subjects.ts'

/** The operation of requests to paths that no route serves. */
export const UNKNOWN_OPERATION = 'unknown'

/** What only requests of some operations have. */
const FIELDS = ['seller', 'application', 'grant', ...SUBJECTS] as const
type Field = (typeof FIELDS)[number]

/** What is looked at of a filter. */
type Wanted = { operation?: string } & { [Name in Field]?: string }

/** The operations that requests of the log can have. Filters that match none of them are mistakes of the reader. */
export class LoggedOperations {
  // Their requests can have anything in a query and a body. The fields of others are found when they are needed.
  readonly #fields = new Map<string, () => readonly Field[]>([[UNKNOWN_OPERATION, () => SUBJECTS]])

  /** A path that differs in its spelling only has the same name. */
  add(name: string, route: OperationRoute): void {
    if (name !== UNKNOWN_OPERATION) this.#fields.set(name, indexFields(name, route))
  }

  /** Throws if the log can have no request of the operation. `at` is the place of the filter in what was sent. */
  requireKnown({ operation }: Wanted, at?: string): void {
    if (operation === undefined || this.#fields.has(operation)) return
    throw invalidParameter(placeOf('operation', at), this.#describeUnknown(operation))
  }

  /**
   * Throws also if no request of the operation can match. A list would be empty, but an expectation met or unmet for
   * ever.
   */
  requirePossible(wanted: Wanted, at: string): void {
    this.requireKnown(wanted, at)
    const { operation = '' } = wanted
    const possible = this.#fields.get(operation)?.() ?? FIELDS
    const impossible = FIELDS.find((field) => wanted[field] !== undefined && !possible.includes(field))
    if (impossible === undefined) return
    const instead = possible.length > 0 ? `, only ${possible.join(', ')}` : ''
    throw invalidParameter(
      placeOf(impossible, at),
      `cannot be combined with operation ${operation}: its requests have no ${impossible}${instead}`,
    )
  }

  #describeUnknown(operation: string): string {
    const [similar] = findSimilar(operation, [...this.#fields.keys()])
    const hint = similar === undefined ? '' : `. Did you mean ${similar}?`
    return `is ${operation.slice(0, 100)}, which is no operation that the log can have${hint}`
  }
}

const CALLER_FIELDS = { sellerId: 'seller', applicationId: 'application', clientId: 'grant' } as const

const indexFields = createFieldIndex<Field>((route) => [
  ...callerFieldsOf(route).map((name) => CALLER_FIELDS[name]),
  ...loggedSubjectsOf(route),
])

const placeOf = (field: string, at: string | undefined) => (at === undefined ? field : `${at}.${field}`)
