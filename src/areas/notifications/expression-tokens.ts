/** A filter expression that cannot be read, and where: positions count from one. */
export class ExpressionError extends Error {
  readonly position: number

  constructor(position: number, reason: string) {
    super(reason)
    this.name = 'ExpressionError'
    this.position = position
  }
}

export type Token =
  | { kind: 'literal'; value: string | number; position: number }
  | { kind: 'name'; text: string; position: number }
  | { kind: 'symbol'; text: string; position: number }
  | { kind: 'end'; position: number }

const PATTERNS = {
  blank: /\s+/y,
  number: /-?\d+(\.\d+)?([eE][+-]?\d+)?/y,
  name: /[A-Za-z_]\w*/y,
  // The longer ones first.
  symbol: /&&|\|\||==|!=|<=|>=|[<>!?:.,()[\]]/y,
}
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"' }
const ARITHMETIC = /[-+*/%]/

/** Takes an expression apart. The last token is its end. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  while (at < text.length) {
    if (take(PATTERNS.blank) !== undefined) continue
    const position = at + 1
    const quote = text[at]
    if (quote === '"' || quote === "'") {
      const { value, end } = readString(text, at)
      at = end
      tokens.push({ kind: 'literal', value, position })
      continue
    }
    const number = take(PATTERNS.number)
    if (number !== undefined) {
      tokens.push({ kind: 'literal', value: Number(number), position })
      continue
    }
    const name = take(PATTERNS.name)
    if (name !== undefined) {
      tokens.push({ kind: 'name', text: name, position })
      continue
    }
    const symbol = take(PATTERNS.symbol)
    if (symbol === undefined) {
      const isArithmetic = ARITHMETIC.test(quote ?? '')
      throw new ExpressionError(position, isArithmetic ? 'arithmetic is not supported' : `${quote} has no meaning here`)
    }
    tokens.push({ kind: 'symbol', text: symbol, position })
  }
  return [...tokens, { kind: 'end', position: text.length + 1 }]
}

function readString(text: string, start: number): { value: string; end: number } {
  const quote = text[start]
  let value = ''
  for (let at = start + 1; at < text.length; at++) {
    const letter = text[at] as string
    if (letter === quote) return { value, end: at + 1 }
    if (letter !== '\\') {
      value += letter
      continue
    }
    const escaped = ESCAPES[text[at + 1] ?? '']
    if (escaped === undefined) throw new ExpressionError(at + 1, 'this escape is not supported')
    value += escaped
    at++
  }
  throw new ExpressionError(start + 1, 'the text does not end')
}
