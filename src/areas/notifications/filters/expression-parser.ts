import { ExpressionError } from './expression-errors.ts'
import { type Token, tokenize } from './expression-tokens.ts'

export type Ordering = '<' | '<=' | '>' | '>='
export type Comparison = '==' | '!=' | 'in' | Ordering
export type Quantifier = 'all' | 'exists' | 'exists_one'
export type TextTest = 'startsWith' | 'endsWith' | 'contains'

export type Expression =
  | { kind: 'literal'; value: string | number | bigint | boolean | null }
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
const FUNCTIONS = ['has', 'size', ...TEXT_TESTS, ...QUANTIFIERS].join(', ')
const CONSTANTS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])
const RESERVED_WORDS = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
)
/** No notification has lists nested deeper than this. Each level multiplies the cost of evaluation. */
const MAX_QUANTIFIER_DEPTH = 3

/**
 * Parses the subset of the Common Expression Language that filters can use: no arithmetic, no indexing, no maps, no
 * conversions and no regular expressions. Throws an ExpressionError with a position.
 */
export function parseExpression(text: string): Expression {
  return new Parser(tokenize(text)).parse()
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #quantifierDepth = 0

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
      if (this.#isAt('[')) throw new ExpressionError(this.#next.position, 'indexing is not supported')
      if (!this.#skip('.')) return expression
      const { text, position } = this.#name('a field')
      expression = this.#skip('(')
        ? this.#call(expression, text, position)
        : { kind: 'field', of: expression, name: text }
    }
  }

  /** What follows the opening parenthesis of a method. */
  #call(of: Expression, method: string, position: number): Expression {
    if (QUANTIFIERS.includes(method)) return this.#quantify(of, method as Quantifier, position)
    if (method === 'size') {
      if (!this.#skip(')')) throw new ExpressionError(this.#next.position, 'size() of a value takes no argument')
      return { kind: 'size', of }
    }
    if (!TEXT_TESTS.includes(method)) throw unknownFunction(method, position)
    const part = this.#argument(`${method}()`)
    return { kind: 'text', test: method as TextTest, of, part }
  }

  #quantify(over: Expression, quantifier: Quantifier, position: number): Expression {
    if (this.#quantifierDepth === MAX_QUANTIFIER_DEPTH) {
      throw new ExpressionError(position, `${quantifier}() is nested deeper than ${MAX_QUANTIFIER_DEPTH} levels`)
    }
    const { text: variable, position: variableAt } = this.#name('the name of a variable')
    if (RESERVED_WORDS.has(variable)) throw reservedWord(variable, variableAt)
    this.#require(',')
    this.#quantifierDepth++
    const test = this.#argument(`${quantifier}()`)
    this.#quantifierDepth--
    return { kind: 'quantify', quantifier, over, variable, test }
  }

  /** The last argument of a function, and the parenthesis after it. */
  #argument(name: string): Expression {
    if (this.#isAt(')')) throw new ExpressionError(this.#next.position, `${name} requires an argument`)
    const argument = this.#choice()
    if (this.#isAt(',')) throw new ExpressionError(this.#next.position, `${name} has too many arguments`)
    this.#require(')')
    return argument
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
    if (RESERVED_WORDS.has(token.text)) throw reservedWord(token.text, token.position)
    this.#at++
    const constant = CONSTANTS.get(token.text)
    if (constant !== undefined) return { kind: 'literal', value: constant }
    return this.#skip('(') ? this.#function(token.text, token.position) : { kind: 'name', name: token.text }
  }

  #function(name: string, position: number): Expression {
    const argumentAt = this.#next.position
    if (name !== 'has' && name !== 'size') throw unknownFunction(name, position)
    const argument = this.#argument(`${name}()`)
    if (name === 'size') return { kind: 'size', of: argument }
    if (argument.kind !== 'field') throw new ExpressionError(argumentAt, 'has() requires a field selection')
    return { kind: 'has', of: argument.of, name: argument.name }
  }

  #items(): Expression[] {
    const items: Expression[] = []
    while (!this.#skip(']')) {
      items.push(this.#choice())
      // A trailing comma is allowed.
      if (!this.#isAt(']')) this.#require(',')
    }
    return items
  }

  get #next(): Token {
    return this.#tokens[this.#at] as Token
  }

  #isAt(symbol: string): boolean {
    const token = this.#next
    return token.kind === 'symbol' && token.text === symbol
  }

  #skip(symbol: string): boolean {
    if (!this.#isAt(symbol)) return false
    this.#at++
    return true
  }

  #require(symbol: string): void {
    if (!this.#skip(symbol)) throw new ExpressionError(this.#next.position, `${symbol} is missing`)
  }

  #name(what: string) {
    const token = this.#next
    const isName = token.kind === 'name' && token.text !== 'in' && !CONSTANTS.has(token.text)
    if (!isName) throw new ExpressionError(token.position, `${what} is missing`)
    this.#at++
    return token
  }

  #unexpected(): ExpressionError {
    const token = this.#next
    if (token.kind === 'end') return new ExpressionError(token.position, 'unexpected end of expression')
    const shown = token.kind === 'literal' ? 'this value' : token.text
    return new ExpressionError(token.position, `${shown} is not allowed here`)
  }
}

const reservedWord = (word: string, position: number) => new ExpressionError(position, `${word} is a reserved word`)

const unknownFunction = (name: string, position: number) =>
  new ExpressionError(position, `unknown function ${name}(); supported functions are ${FUNCTIONS}`)
