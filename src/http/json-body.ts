import { ApiError, invalidParameter } from '../platform/errors/api-error.ts'
import { findOddity } from '../platform/json-oddities.ts'
import { placeOf } from './place.ts'

const DEEPEST_NESTING = 100
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a JSON body and refuses what JSON.parse would let pass: repeated keys, `__proto__`, deep nesting, odd text. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const value = parse(text)
  const { members, depth } = measure(text)
  if (depth > DEEPEST_NESTING) throw malformed(`It is nested more than ${DEEPEST_NESTING} levels deep.`)
  if (countMembers(value) !== members) throw malformed('A key appears twice in the same object.')
  if (text.includes('\\u')) refuseOddities(value)
  return value
}

function refuseOddities(value: unknown): void {
  const oddity = findOddity(value)
  if (oddity) throw invalidParameter(placeOf(oddity.path), oddity.reason)
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

const malformed = (details: string, cause?: unknown) =>
  new ApiError('InvalidInput', 'The request body is not valid JSON.', details, { cause })

/** Counts the members of all objects in valid JSON text, by the colons outside of strings, and how deep it nests. */
function measure(text: string): { members: number; depth: number } {
  let members = 0
  let depth = 0
  let level = 0
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '"':
        index = endOfString(text, index)
        break
      case ':':
        members++
        break
      case '{':
      case '[':
        depth = Math.max(depth, ++level)
        break
      case '}':
      case ']':
        level--
    }
  }
  return { members, depth }
}

function endOfString(text: string, start: number): number {
  let end = start
  let escaped: boolean
  do {
    end = text.indexOf('"', end + 1)
    let before = end - 1
    while (text[before] === '\\') before--
    escaped = (end - before) % 2 === 0
  } while (escaped)
  return end
}

function countMembers(root: unknown): number {
  let members = 0
  const pending = [root]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) {
      const keys = Object.keys(value)
      if (keys.includes('__proto__')) throw malformed('The key __proto__ is not allowed.')
      members += keys.length
    }
    for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) pending.push(child)
  }
  return members
}
