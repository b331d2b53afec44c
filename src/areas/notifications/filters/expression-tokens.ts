import { ExpressionError } from './expression-errors.ts'
import { scanString } from './expression-strings.ts'

export type Token =
  | { kind: 'literal'; value: string | number | bigint; position: number }
  | { kind: 'name'; text: string; position: number }
  | { kind: 'symbol'; text: string; position: number }
  | { kind: 'end'; position: number }

const BLANK = /(?:[\t\n\f\r ]|\/\/[^\n]*)+/y
const NUMBER = /-?(?:0[xX][0-9a-fA-F]+[uU]?|\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+[uU]?)/y
const STRING_START = /(?<prefix>[rRbB]{0,2})["']/y
const NAME = /[A-Za-z_]\w*/y
// Longer operators first.
const SYMBOL = /&&|\|\||==|!=|<=|>=|[<>!?:.,()[\]]/y

const UNSUPPORTED: Record<string, string> = {
  ...Object.fromEntries(Array.from('-+*/%', (sign) => [sign, 'arithmetic is not supported'])),
  '{': 'maps are not supported',
  '=': '= is not an operator; use ==',
  '&': '& is not an operator; use &&',
  '|': '| is not an operator; use ||',
}

/** The tokens of an expression, followed by an end token. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  const take = (pattern: RegExp): string | undefined => {
    const found = match(pattern)?.[0]
    at += found?.length ?? 0
    return found
  }
  while (at < text.length) {
    if (take(BLANK) !== undefined) continue
    const position = at + 1
    const prefix = match(STRING_START)?.groups?.prefix
    if (prefix !== undefined) {
      const { value, end } = scanString(text, at, prefix)
      at = end
      tokens.push({ kind: 'literal', value, position })
      continue
    }
    // After an operand, a minus sign is arithmetic and a dot selects a field.
    const isOperator = /[-.]/.test(text[at] ?? '') && endsOperand(tokens.at(-1))
    const number = isOperator ? undefined : take(NUMBER)
    if (number !== undefined) {
      tokens.push({ kind: 'literal', value: readNumber(number, position), position })
      continue
    }
    const name = take(NAME)
    const symbol = name === undefined ? take(SYMBOL) : undefined
    if (name !== undefined) tokens.push({ kind: 'name', text: name, position })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol, position })
    else throw new ExpressionError(position, reasonFor(text, at))
  }
  return [...tokens, { kind: 'end', position: text.length + 1 }]
}

function endsOperand(token: Token | undefined): boolean {
  if (token?.kind === 'name') return token.text !== 'in'
  if (token?.kind === 'symbol') return token.text === ')' || token.text === ']'
  return token?.kind === 'literal'
}

function reasonFor(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return UNSUPPORTED[character] ?? `${character} is not allowed here`
}

const INTEGERS = { least: -(2n ** 63n), most: 2n ** 63n - 1n }
const UNSIGNED_INTEGERS = { least: 0n, most: 2n ** 64n - 1n }

/** An integer is a bigint if a double cannot represent it exactly. */
function readNumber(text: string, position: number): number | bigint {
  const isHexadecimal = /^-?0x/i.test(text)
  if (!isHexadecimal && /[.e]/i.test(text)) {
    const value = Number(text)
    if (!Number.isFinite(value)) throw new ExpressionError(position, `${text} is out of the range of a double`)
    return value
  }
  const digits = text.replace(/^-|u$/gi, '')
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits)
  const { least, most } = /u$/i.test(text) ? UNSIGNED_INTEGERS : INTEGERS
  if (value < least || value > most) throw new ExpressionError(position, `${text} is not a 64-bit integer`)
  const double = Number(value)
  return Number.isSafeInteger(double) ? double : value
}
