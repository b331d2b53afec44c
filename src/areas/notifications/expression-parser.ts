import { ExpressionError, type Token, tokenize } from './expression-tokens.ts'

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in'
export type Quantifier = 'all' | 'exists' | 'exists_one'
export type TextTest = 'startsWith' | 'endsWith' | 'contains'

export type Expression =
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'name'; name: string }
  | { kind: 'field'; of: Expression; name: string }
  | { kind: 'has'; of: Expression; name: string }
  | { kind: 'size'; of: Expression }
  | { kind: 'not'; of: Expression }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'choice'; condition: Expression; yes: Expression; no: Expression }
  | { kind: 'compare'; comparison: Comparison; left: Expression; right: Expression }
  | { kind: 'quantify'; quantifier: Quantifier; over: Expression; variable: string; test: Expression }
  | { kind: 'text'; test: TextTest; of: Expression; part: Expression }

const COMPARISONS: readonly string[] = ['==', '!=', '<', '<=', '>', '>=', 'in'] satisfies Comparison[]
const QUANTIFIERS: readonly string[] = ['all', 'exists', 'exists_one'] satisfies Quantifier[]
const TEXT_TESTS: readonly string[] = ['startsWith', 'endsWith', 'contains'] satisfies TextTest[]
const CONSTANTS: Record<string, boolean | null> = { true: true, false: false, null: null }

/**
 * Reads the part of the Common Expression Language that filters can use: everything but arithmetic, indexing and
 * regular expressions. Throws an ExpressionError that says where it cannot go on.
 */
export function parseExpression(text: string): Expression {
  return new Parser(tokenize(text)).parse()
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): Expression {
    const expression = this.#choice()
    if (this.#next.kind !== 'end') throw this.#unexpected()
    return expression
  }

  #choice(): Expression {
    const condition = this.#or()
    if (!this.#skip('?')) return condition
    const yes = this.#or()
    this.#require(':')
    return { kind: 'choice', condition, yes, no: this.#choice() }
  }

  #or(): Expression {
    let left = this.#and()
    while (this.#skip('||')) left = { kind: 'or', left, right: this.#and() }
    return left
  }

  #and(): Expression {
    let left = this.#comparison()
    while (this.#skip('&&')) left = { kind: 'and', left, right: this.#comparison() }
    return left
  }

  #comparison(): Expression {
    let left = this.#unary()
    for (;;) {
      const token = this.#next
      const text = 'text' in token ? token.text : ''
      if (!COMPARISONS.includes(text)) return left
      this.#at++
      left = { kind: 'compare', comparison: text as Comparison, left, right: this.#unary() }
    }
  }

  #unary(): Expression {
    return this.#skip('!') ? { kind: 'not', of: this.#unary() } : this.#member()
  }

  #member(): Expression {
    let expression = this.#primary()
    for (;;) {
      if (this.#sees('[')) throw new ExpressionError(this.#next.position, 'indexing is not supported')
      if (!this.#skip('.')) return expression
      const { text, position } = this.#name()
      expression = this.#skip('(')
        ? this.#call(expression, text, position)
        : { kind: 'field', of: expression, name: text }
    }
  }

  /** What follows the opening parenthesis of a method. */
  #call(of: Expression, method: string, position: number): Expression {
    if (QUANTIFIERS.includes(method)) {
      const variable = this.#name().text
      this.#require(',')
      const test = this.#choice()
      this.#require(')')
      return { kind: 'quantify', quantifier: method as Quantifier, over: of, variable, test }
    }
    if (method === 'size') {
      this.#require(')')
      return { kind: 'size', of }
    }
    if (!TEXT_TESTS.includes(method)) throw new ExpressionError(position, `there is no function ${method}`)
    const part = this.#choice()
    this.#require(')')
    return { kind: 'text', test: method as TextTest, of, part }
  }

  #primary(): Expression {
    const token = this.#next
    if (token.kind === 'literal') {
      this.#at++
      return { kind: 'literal', value: token.value }
    }
    if (this.#skip('(')) {
      const expression = this.#choice()
      this.#require(')')
      return expression
    }
    if (this.#skip('[')) return { kind: 'list', items: this.#items() }
    if (token.kind !== 'name' || token.text === 'in') throw this.#unexpected()
    this.#at++
    const constant = CONSTANTS[token.text]
    if (constant !== undefined) return { kind: 'literal', value: constant }
    return this.#skip('(') ? this.#function(token.text, token.position) : { kind: 'name', name: token.text }
  }

  #function(name: string, position: number): Expression {
    const argumentAt = this.#next.position
    if (name !== 'has' && name !== 'size') throw new ExpressionError(position, `there is no function ${name}`)
    const argument = this.#choice()
    this.#require(')')
    if (name === 'size') return { kind: 'size', of: argument }
    if (argument.kind !== 'field') throw new ExpressionError(argumentAt, 'has() takes a field of something')
    return { kind: 'has', of: argument.of, name: argument.name }
  }

  #items(): Expression[] {
    const items: Expression[] = []
    while (!this.#skip(']')) {
      if (items.length > 0) this.#require(',')
      items.push(this.#choice())
    }
    return items
  }

  get #next(): Token {
    return this.#tokens[this.#at] as Token
  }

  #sees(symbol: string): boolean {
    const token = this.#next
    return token.kind === 'symbol' && token.text === symbol
  }

  #skip(symbol: string): boolean {
    if (!this.#sees(symbol)) return false
    this.#at++
    return true
  }

  #require(symbol: string): void {
    if (!this.#skip(symbol)) throw new ExpressionError(this.#next.position, `${symbol} is missing`)
  }

  #name() {
    const token = this.#next
    if (token.kind !== 'name') throw new ExpressionError(token.position, 'a name is missing')
    this.#at++
    return token
  }

  #unexpected(): ExpressionError {
    const token = this.#next
    if (token.kind === 'end') return new ExpressionError(token.position, 'the expression ends too soon')
    const shown = token.kind === 'literal' ? 'this value' : token.text
    return new ExpressionError(token.position, `${shown} cannot stand here`)
  }
}
