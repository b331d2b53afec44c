import type { Budget } from './expression-budget.ts'
import type { Expression } from './expression-parser.ts'
import {
  compareOrder,
  fieldOf,
  isEqual,
  isFieldPresent,
  isIn,
  itemsOf,
  NO_VALUE,
  sizeOf,
  testText,
} from './expression-values.ts'

/** A variable of a quantifier and the variables of the enclosing quantifiers. */
interface Scope {
  name: string
  value: unknown
  outer: Scope | undefined
}

/**
 * Evaluates an expression over a payload. Errors of the language are values (NO_VALUE) rather than exceptions, since a
 * field that does not exist is ordinary. Lists share the values that they are made of.
 */
export class Evaluation {
  readonly #payload: object
  readonly #budget: Budget

  constructor(payload: object, budget: Budget) {
    this.#payload = payload
    this.#budget = budget
  }

  evaluate(expression: Expression, scope?: Scope): unknown {
    const budget = this.#budget
    budget.charge(1)
    switch (expression.kind) {
      case 'literal':
        return expression.value
      case 'list':
        return this.#list(expression.items, scope)
      case 'name':
        return this.#lookUp(expression.name, scope)
      case 'field':
        return fieldOf(this.evaluate(expression.of, scope), expression.name)
      case 'has':
        return isFieldPresent(this.evaluate(expression.of, scope), expression.name)
      case 'size':
        return sizeOf(this.evaluate(expression.of, scope), budget)
      case 'not': {
        const value = this.evaluate(expression.of, scope)
        return typeof value === 'boolean' ? !value : NO_VALUE
      }
      case 'and':
        return this.#evaluateLogical(expression.left, expression.right, scope, false)
      case 'or':
        return this.#evaluateLogical(expression.left, expression.right, scope, true)
      case 'choice': {
        const condition = this.evaluate(expression.condition, scope)
        if (typeof condition !== 'boolean') return NO_VALUE
        return this.evaluate(condition ? expression.yes : expression.no, scope)
      }
      case 'compare':
        return this.#compare(expression, scope)
      case 'quantify':
        return this.#quantify(expression, scope)
      case 'text':
        return testText(
          expression.test,
          this.evaluate(expression.of, scope),
          this.evaluate(expression.part, scope),
          budget,
        )
    }
  }

  #lookUp(name: string, scope: Scope | undefined): unknown {
    for (let at = scope; at; at = at.outer) if (at.name === name) return at.value
    return fieldOf(this.#payload, name)
  }

  #list(items: readonly Expression[], scope: Scope | undefined): unknown {
    const values: unknown[] = []
    for (const item of items) {
      const value = this.evaluate(item, scope)
      if (value === NO_VALUE) return NO_VALUE
      values.push(value)
    }
    return values
  }

  /** false decides &&, true decides ||, even if the other operand is an error. */
  #evaluateLogical(left: Expression, right: Expression, scope: Scope | undefined, deciding: boolean): unknown {
    const one = this.evaluate(left, scope)
    if (one === deciding) return deciding
    const other = this.evaluate(right, scope)
    if (other === deciding) return deciding
    return typeof one === 'boolean' && typeof other === 'boolean' ? !deciding : NO_VALUE
  }

  #compare({ comparison, left, right }: Extract<Expression, { kind: 'compare' }>, scope: Scope | undefined): unknown {
    const one = this.evaluate(left, scope)
    const other = this.evaluate(right, scope)
    if (one === NO_VALUE || other === NO_VALUE) return NO_VALUE
    if (comparison === '==') return isEqual(one, other, this.#budget)
    if (comparison === '!=') return !isEqual(one, other, this.#budget)
    if (comparison === 'in') return isIn(one, other, this.#budget)
    return compareOrder(comparison, one, other, this.#budget)
  }

  #quantify(expression: Extract<Expression, { kind: 'quantify' }>, scope: Scope | undefined): unknown {
    const { quantifier, over, variable, test } = expression
    const items = itemsOf(this.evaluate(over, scope), this.#budget)
    if (!items) return NO_VALUE
    if (quantifier === 'exists_one') return this.#existsOne(items, variable, test, scope)
    // Like && and ||: one element can decide the result even if others are errors.
    const deciding = quantifier === 'exists'
    let isUndecided = false
    for (const value of items) {
      const passes = this.evaluate(test, { name: variable, value, outer: scope })
      if (passes === deciding) return deciding
      if (typeof passes !== 'boolean') isUndecided = true
    }
    return isUndecided ? NO_VALUE : !deciding
  }

  #existsOne(items: readonly unknown[], variable: string, test: Expression, scope: Scope | undefined): unknown {
    let count = 0
    for (const value of items) {
      const passes = this.evaluate(test, { name: variable, value, outer: scope })
      if (typeof passes !== 'boolean') return NO_VALUE
      if (passes) count++
    }
    return count === 1
  }
}
