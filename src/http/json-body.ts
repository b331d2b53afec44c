import { ApiError, type ApiErrorOptions, invalidParameter } from '../platform/errors/api-error.ts'
import { neverPasses } from '../platform/errors/explanation.ts'
import { joinSentences } from '../platform/errors/sentences.ts'
import { countParts, MAX_NESTING_LEVELS } from '../platform/json-size.ts'
import { findUnsafeValue, type UnsafeValue, withoutUnsafeValues } from '../platform/unstorable-json.ts'
import { formatFieldPath } from './field-path.ts'

const NOT_JSON = 'The request body is not valid JSON.'
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a body with at most so many members, objects and lists together. */
export const parseJsonBody = (bytes: Uint8Array, maxParts?: number): unknown => parseStrictJson(decode(bytes), maxParts)

/** As JSON.parse does, also what is refused below. */
export const parseLooseJson = (bytes: Uint8Array): unknown => parse(decode(bytes))

/** Parses JSON and refuses what JSON.parse would let pass: repeated keys, `__proto__`, deep nesting, odd text. */
export function parseStrictJson(text: string, maxParts = Number.POSITIVE_INFINITY): unknown {
  const { members, parts, levels } = countParts(text, maxParts)
  if (levels > MAX_NESTING_LEVELS) throw malformed(`It is nested more than ${MAX_NESTING_LEVELS} levels deep.`)
  if (parts > maxParts) throw malformed(`It has more than ${maxParts} members, objects and lists.`)
  const value = parse(text)
  if (isNested(value) && countMembers(value) !== members) {
    throw malformed('A key appears twice in the same object.', undefined, {
      explainSent: (body) => ({ facts: { problem: 'repeated key' }, change: { body: { '': body } } }),
    })
  }
  if (text.includes('\\u')) refuseUnsafeValues(value)
  return value
}

function refuseUnsafeValues(value: unknown): void {
  const unsafe = findUnsafeValue(value)
  if (!unsafe) return
  throw unsafeValue(unsafe)
}

// Apart from what has the value, which the explanation must not keep.
function unsafeValue({ path: keys, reason }: UnsafeValue): ApiError {
  const path = formatFieldPath(keys)
  return invalidParameter(path, reason, {
    explainSent: (body) => ({
      facts: { field: path, problem: reason },
      change: { body: { '': withoutUnsafeValues(body) } },
    }),
  })
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw malformed('It is not valid UTF-8.', cause)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed(cause instanceof Error ? cause.message : '', cause)
  }
}

const malformed = (
  details: string,
  cause?: unknown,
  explained: Pick<ApiErrorOptions, 'explain' | 'explainSent'> = onlyClientKnows(details),
) =>
  new ApiError('InvalidInput', NOT_JSON, details, {
    reason: joinSentences(NOT_JSON, withoutExcerpt(details)),
    cause,
    ...explained,
  })

const onlyClientKnows = (problem: string) => ({
  explain: neverPasses('Only the client knows what the body should have been: send it as valid JSON.', { problem }),
})

/** JSON.parse quotes the text around the error: `Unexpected token 'x', ..."abc"x,"d"... is not valid JSON`. */
const withoutExcerpt = (details: string) => details.replace(/, (?:\.\.\.)?".*$/s, '')

/** How many members the objects of a value have. Two of the same name in the text have become one here. */
function countMembers(value: object): number {
  let members = 0
  if (Array.isArray(value)) {
    for (const element of value) if (isNested(element)) members += countMembers(element)
    return members
  }
  for (const key in value) {
    if (key === '__proto__') throw malformed('The key __proto__ is not allowed.')
    const member = value[key as keyof typeof value] as unknown
    members += isNested(member) ? 1 + countMembers(member) : 1
  }
  return members
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null
