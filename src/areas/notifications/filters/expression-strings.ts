import { ExpressionError } from './expression-errors.ts'

const ESCAPES: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  "'": "'",
  '"': '"',
  '`': '`',
}
const CODE_POINT = /[xX](?<hex2>[\da-fA-F]{2})|u(?<hex4>[\da-fA-F]{4})|U(?<hex8>[\da-fA-F]{8})|(?<octal>[0-3][0-7]{2})/y

/** Reads the string literal that starts with the prefix at this index. Returns its value and the index after it. */
export function scanString(text: string, start: number, prefix: string): { value: string; end: number } {
  if (/b/i.test(prefix)) throw new ExpressionError(start + 1, 'bytes are not supported')
  const isRaw = prefix !== ''
  if (prefix.length > 1) throw new ExpressionError(start + 1, `${prefix} cannot precede a string`)
  const open = start + prefix.length
  const quote = text[open] as string
  const isTripled = text.startsWith(quote.repeat(3), open)
  const closing = isTripled ? quote.repeat(3) : quote
  let value = ''
  for (let at = open + closing.length; at < text.length; at++) {
    if (text.startsWith(closing, at)) return { value, end: at + closing.length }
    const unit = text[at] as string
    if (!isTripled && (unit === '\n' || unit === '\r')) break
    if (unit !== '\\' || isRaw) {
      value += unit
      continue
    }
    const escaped = scanEscape(text, at)
    value += escaped.value
    at += escaped.length
  }
  throw new ExpressionError(start + 1, 'unterminated string')
}

/** The escape that starts with the backslash at this index, and how many characters follow the backslash. */
function scanEscape(text: string, at: number): { value: string; length: number } {
  const simple = ESCAPES[text[at + 1] ?? '']
  if (simple !== undefined) return { value: simple, length: 1 }
  CODE_POINT.lastIndex = at + 1
  const found = CODE_POINT.exec(text)
  const { hex2, hex4, hex8, octal } = found?.groups ?? {}
  const code = octal === undefined ? Number.parseInt(hex2 ?? hex4 ?? hex8 ?? '', 16) : Number.parseInt(octal, 8)
  const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  if (!found || !isCharacter) throw new ExpressionError(at + 1, 'this escape is not supported')
  return { value: String.fromCodePoint(code), length: found[0].length }
}
