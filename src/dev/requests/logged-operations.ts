import type { FastifyContextConfig } from 'fastify'
import { invalidParameter } from '../../platform/errors/api-error.ts'
import { findSimilar } from '../../platform/similar-words.ts'

/** The operation of requests to paths that no route serves. */
export const UNKNOWN_OPERATION = 'unknown'

/** The operation whose requests have no token yet, but a grant. */
export const TOKEN_OPERATION = 'createToken'

/** What only requests of some operations have. */
const FIELDS = ['seller', 'application', 'grant'] as const
type Field = (typeof FIELDS)[number]

/** What is looked at of a filter. */
type Wanted = { operation?: string } & { [Name in Field]?: string }

/** The operations that requests of the log can have. Filters that match none of them are mistakes of the reader. */
export class LoggedOperations {
  readonly #fields = new Map<string, readonly Field[]>([[UNKNOWN_OPERATION, []]])

  /** A path that differs in its spelling only has the same name. */
  add(name: string, access: FastifyContextConfig['access']): void {
    this.#fields.set(name, name === TOKEN_OPERATION ? ['grant'] : fieldsOf(access))
  }

  /** Throws if the log can have no request of the operation. `at` is the place of the filter in what was sent. */
  requireKnown({ operation }: Wanted, at?: string): void {
    if (operation === undefined || this.#fields.has(operation)) return
    throw invalidParameter(placeOf('operation', at), this.#describeUnknown(operation))
  }

  /** Throws also if no request of the operation can match. A list would be empty, but an expectation met or unmet for ever. */
  requirePossible(wanted: Wanted, at: string): void {
    this.requireKnown(wanted, at)
    const { operation = '' } = wanted
    const possible = this.#fields.get(operation) ?? FIELDS
    const impossible = FIELDS.find((field) => wanted[field] !== undefined && !possible.includes(field))
    if (impossible === undefined) return
    const instead = possible.length > 0 ? `, only ${possible.join(' and ')}` : ''
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

function fieldsOf(access: FastifyContextConfig['access']): readonly Field[] {
  if (typeof access !== 'object') return []
  return access.seller ? ['seller', 'application'] : ['application']
}

const placeOf = (field: string, at: string | undefined) => (at === undefined ? field : `${at}.${field}`)
