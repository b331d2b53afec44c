import { isDeepStrictEqual } from 'node:util'
import { type Static, type TSchema, Type } from 'typebox'
import type { OrderCursor } from '../../marketplace/trade/order-search.ts'
import { digest } from '../../platform/auth/digest.ts'
import { invalidInput, invalidParameter } from '../../platform/errors/api-error.ts'
import { createSchemaCheck } from '../../platform/schema-check.ts'
import { findUnsafeValue } from '../../platform/unstorable-json.ts'

/** The query of the first page and the place where the next one begins. */
export interface PageState<Query> {
  query: Query
  /** The end of the period, which stays the same from page to page. */
  to: string
  after: OrderCursor
  issuedAt: string
}

const CHECK_LENGTH = 16
const Time = Type.String({ format: 'date-time' })

// Not a signature: a caller can forge a token and gets a page of its own orders, which it may request anyway.
const checkOf = (sellerId: string, text: string) => digest(`${sellerId} ${text}`).slice(0, CHECK_LENGTH)

export function encodePageState<Query>(sellerId: string, state: PageState<Query>): string {
  const text = Buffer.from(JSON.stringify(state)).toString('base64url')
  return `${text}.${checkOf(sellerId, text)}`
}

/** What a request for the first page needs, if it is not there. */
type Fields = Readonly<Record<string, string | null>>

/** Decodes the tokens of a query. Throws if one is damaged, forged or was issued to another seller. */
export function createPageStateDecoder<Query extends TSchema>(query: Query, parameter: string) {
  // A token can be forged, so it is validated like a query.
  const after = Type.Tuple([Time, Type.String()], { minItems: 2 })
  const isPageState = createSchemaCheck(Type.Object({ query, to: Time, after, issuedAt: Time }))
  return (sellerId: string, token: string, firstPage = (): Fields => ({})): PageState<Static<Query>> => {
    const [text = '', check] = token.split('.')
    const state = check === checkOf(sellerId, text) ? parseJson(Buffer.from(text, 'base64url').toString()) : undefined
    if (isPageState(state)) return state as PageState<Static<Query>>
    throw invalidInput(parameter, `${parameter} was not issued by this service to this seller.`, () => ({
      change: { fields: { ...firstPage(), [parameter]: null } },
    }))
  }
}

/** Returns undefined for text that is not JSON, and for text in it that the databases do not store. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return findUnsafeValue(value) ? undefined : value
  } catch {
    return undefined
  }
}

/** Throws if a parameter that comes with a token differs from that of the first page. */
export function requireSameQuery(first: object, given: object, parameter: string): void {
  for (const [name, value] of Object.entries(given)) {
    const before = (first as Record<string, unknown>)[name]
    if (value !== undefined && !isDeepStrictEqual(sorted(value), sorted(before))) {
      throw invalidParameter(name, `differs from the request that returned this ${parameter}`, () => ({
        facts: { [name]: value, before: before ?? null },
        change: { fields: { [name]: before ?? null } },
      }))
    }
  }
}

const sorted = (value: unknown) => (Array.isArray(value) ? [...new Set(value)].sort() : value)
