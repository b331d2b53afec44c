import { BoundedMap } from '../../platform/bounded-map.ts'
import { type Comparison, type Expression, parseExpression, type TextTest } from './expression-parser.ts'

/** Something has no value: a field that is not there, or values that cannot be compared. */
class NoValueError extends Error {}

const EXPRESSIONS_KEPT = 500
// An expression has 256 characters, which is enough to walk through a list of lists of lists.
const MOST_STEPS = 20_000

const parsed = new BoundedMap<string, Expression>(EXPRESSIONS_KEPT)

/** Whether the payload is one that the expression asks for. What has no value is not asked for. */
export function satisfies(text: string, payload: object): boolean {
  let expression = parsed.get(text)
  if (!expression) {
    expression = parseExpression(text)
    parsed.set(text, expression)
  }
  try {
    return new Evaluation().of(expression, new Map(Object.entries(payload))) === true
  } catch (error) {
    if (error instanceof NoValueError) return false
    throw error
  }
}

type Scope = ReadonlyMap<string, unknown>

class Evaluation {
  #steps = 0

  of(expression: Expression, scope: Scope): unknown {
    if (++this.#steps > MOST_STEPS) throw new NoValueError()
    switch (expression.kind) {
      case 'literal':
        return expression.value
      case 'list':
        return expression.items.map((item) => this.of(item, scope))
      case 'name':
        return valueOr(scope.get(expression.name))
      case 'field':
        return valueOr(fieldOf(this.of(expression.of, scope), expression.name))
      case 'has':
        return fieldOf(this.of(expression.of, scope), expression.name) !== undefined
      case 'size':
        return sizeOf(this.of(expression.of, scope))
      case 'not':
        return !this.#truth(expression.of, scope)
      case 'and':
        return !this.#either(expression.left, expression.right, scope, false)
      case 'or':
        return this.#either(expression.left, expression.right, scope, true)
      case 'choice':
        return this.of(this.#truth(expression.condition, scope) ? expression.yes : expression.no, scope)
      case 'compare':
        return compare(expression.comparison, this.of(expression.left, scope), this.of(expression.right, scope))
      case 'quantify':
        return this.#quantify(expression, scope)
      case 'text':
        return testText(expression.test, this.of(expression.of, scope), this.of(expression.part, scope))
    }
  }

  #truth(expression: Expression, scope: Scope): boolean {
    const value = this.of(expression, scope)
    if (typeof value !== 'boolean') throw new NoValueError()
    return value
  }

  /** Whether one of the two is as wanted. As the language has it, one that is decides even if the other has no value. */
  #either(left: Expression, right: Expression, scope: Scope, wanted: boolean): boolean {
    try {
      if (this.#truth(left, scope) === wanted) return true
    } catch (error) {
      if (!(error instanceof NoValueError) || this.#truth(right, scope) !== wanted) throw error
      return true
    }
    return this.#truth(right, scope) === wanted
  }

  #quantify({ quantifier, over, variable, test }: Extract<Expression, { kind: 'quantify' }>, scope: Scope): boolean {
    const list = this.of(over, scope)
    if (!isCollection(list)) throw new NoValueError()
    const items = Array.isArray(list) ? list : Object.keys(list)
    const passes = (item: unknown) => this.#truth(test, new Map(scope).set(variable, item))
    if (quantifier === 'all') return items.every(passes)
    if (quantifier === 'exists') return items.some(passes)
    return items.filter(passes).length === 1
  }
}

const isCollection = (value: unknown): value is object => typeof value === 'object' && value !== null

function valueOr(value: unknown): unknown {
  if (value === undefined) throw new NoValueError()
  return value
}

const fieldOf = (value: unknown, name: string): unknown =>
  isCollection(value) && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Array.from(value).length
  if (Array.isArray(value)) return value.length
  if (isCollection(value)) return Object.keys(value).length
  throw new NoValueError()
}

function testText(test: TextTest, text: unknown, part: unknown): boolean {
  if (typeof text !== 'string' || typeof part !== 'string') throw new NoValueError()
  if (test === 'startsWith') return text.startsWith(part)
  return test === 'endsWith' ? text.endsWith(part) : text.includes(part)
}

function compare(comparison: Comparison, left: unknown, right: unknown): boolean {
  if (comparison === '==') return isSame(left, right)
  if (comparison === '!=') return !isSame(left, right)
  if (comparison === 'in') {
    if (Array.isArray(right)) return right.some((item) => isSame(left, item))
    if (isCollection(right)) return typeof left === 'string' && Object.hasOwn(right, left)
    throw new NoValueError()
  }
  const comparable = typeof left === typeof right && (typeof left === 'number' || typeof left === 'string')
  if (!comparable) throw new NoValueError()
  const [one, other] = [left as number, right as number]
  if (comparison === '<') return one < other
  if (comparison === '<=') return one <= other
  return comparison === '>' ? one > other : one >= other
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (isCollection(one) && isCollection(other) && JSON.stringify(one) === JSON.stringify(other))
