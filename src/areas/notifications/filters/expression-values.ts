import type { Budget } from './expression-budget.ts'
import type { Ordering, TextTest } from './expression-parser.ts'

/** The value of an error in the language: a missing field, or operands of the wrong type. */
export const NO_VALUE = Symbol('no value')

type JsonObject = Readonly<Record<string, unknown>>

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isMap = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !isList(value)
/** Integers beyond the precision of a double are bigints. */
const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

/** Payloads that have not been through JSON yet may have undefined for a field that does not exist. */
const hasField = (map: JsonObject, name: string) => Object.hasOwn(map, name) && map[name] !== undefined

export const fieldOf = (value: unknown, name: string): unknown =>
  isMap(value) && hasField(value, name) ? value[name] : NO_VALUE

export const isFieldPresent = (value: unknown, name: string): boolean | typeof NO_VALUE =>
  isMap(value) ? hasField(value, name) : NO_VALUE

/** What a quantifier visits: the elements of a list or the keys of a map. */
export function itemsOf(value: unknown, budget: Budget): readonly unknown[] | undefined {
  if (isList(value)) return value
  return isMap(value) ? keysOf(value, budget) : undefined
}

function keysOf(map: JsonObject, budget: Budget): string[] {
  const keys = Object.keys(map)
  budget.charge(keys.length)
  return keys.filter((key) => map[key] !== undefined)
}

export function sizeOf(value: unknown, budget: Budget): number | typeof NO_VALUE {
  if (typeof value === 'string') return countCodePoints(value, budget)
  if (isList(value)) return value.length
  return isMap(value) ? keysOf(value, budget).length : NO_VALUE
}

function countCodePoints(text: string, budget: Budget): number {
  budget.chargeVisitedCharacters(text.length)
  let count = 0
  for (let index = 0; index < text.length; index++) {
    // A code point beyond the first plane has a low surrogate as its second unit.
    const unit = text.charCodeAt(index)
    if (unit < 0xdc00 || unit > 0xdfff) count++
  }
  return count
}

export function testText(test: TextTest, text: unknown, part: unknown, budget: Budget): boolean | typeof NO_VALUE {
  if (typeof text !== 'string' || typeof part !== 'string') return NO_VALUE
  if (test === 'contains') {
    // The engine's search for a part compares each of its characters at each position in the worst case.
    budget.chargeCharacters(text.length * Math.max(part.length, 1))
    return text.includes(part)
  }
  budget.chargeVisitedCharacters(part.length)
  return test === 'startsWith' ? text.startsWith(part) : text.endsWith(part)
}

export function isIn(value: unknown, collection: unknown, budget: Budget): boolean | typeof NO_VALUE {
  if (isList(collection)) return collection.some((item) => isEqual(value, item, budget))
  // Keys of a payload are strings. Another scalar could be a key, so it is just not found.
  const canBeKey = typeof value === 'string' || typeof value === 'boolean' || isNumber(value)
  if (!isMap(collection) || !canBeKey) return NO_VALUE
  return typeof value === 'string' && hasField(collection, value)
}

/**
 * Values of different types are not equal; numbers are compared by value. Visits pairs without recursion, since a
 * payload may be nested deeper than the call stack.
 */
export function isEqual(one: unknown, other: unknown, budget: Budget): boolean {
  const pairs: unknown[] = [one, other]
  budget.charge(1)
  while (pairs.length > 0) {
    const right = pairs.pop()
    const left = pairs.pop()
    if (typeof left === 'string' && typeof right === 'string') {
      if (!isSameText(left, right, budget)) return false
    } else if (isNumber(left) && isNumber(right)) {
      if (compareNumbers(left, right) !== 0) return false
    } else if (left !== right && !addPairs(pairs, left, right, budget)) {
      return false
    }
  }
  return true
}

function isSameText(left: string, right: string, budget: Budget): boolean {
  if (left.length !== right.length) return false
  budget.chargeCharacters(left.length)
  return left === right
}

/** Adds the pairs that must be equal for the two to be equal. Returns false if they cannot be equal. */
function addPairs(pairs: unknown[], left: unknown, right: unknown, budget: Budget): boolean {
  if (isList(left) && isList(right)) {
    if (left.length !== right.length) return false
    budget.charge(left.length)
    for (let index = 0; index < left.length; index++) pairs.push(left[index], right[index])
    return true
  }
  if (!isMap(left) || !isMap(right)) return false
  const keys = keysOf(left, budget)
  if (keys.length !== keysOf(right, budget).length) return false
  for (const key of keys) {
    if (!hasField(right, key)) return false
    pairs.push(left[key], right[key])
  }
  return true
}

export function compareOrder(
  ordering: Ordering,
  left: unknown,
  right: unknown,
  budget: Budget,
): boolean | typeof NO_VALUE {
  const difference = compare(left, right, budget)
  if (difference === undefined) return NO_VALUE
  if (ordering === '<') return difference < 0
  if (ordering === '<=') return difference <= 0
  return ordering === '>' ? difference > 0 : difference >= 0
}

function compare(left: unknown, right: unknown, budget: Budget): number | undefined {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right)
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right, budget)
  return typeof left === 'boolean' && typeof right === 'boolean' ? Number(left) - Number(right) : undefined
}

function compareNumbers(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1
  return left > right ? 1 : 0
}

/** Compares by code point, as the language requires. JavaScript compares UTF-16 units, which sort surrogates too low. */
function compareTexts(left: string, right: string, budget: Budget): number {
  const length = Math.min(left.length, right.length)
  budget.chargeVisitedCharacters(length)
  for (let index = 0; index < length; index++) {
    const difference = rankOf(left.charCodeAt(index)) - rankOf(right.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

const rankOf = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
