import { endOfString } from '../../platform/json-size.ts'

const NON_SPACE = /\S/g
// Whether a secret is null, true or false says nothing about it.
const HIDDEN_START = /["[{\d-]/
const NUMBER = /[\d.eE+-]+/y
const BRACKET_OR_QUOTE = /["[\]{}]/g

export interface JsonMask {
  /** Whether the value of a member is a secret as a whole. */
  isSecretMember: (name: string, text: string, start: number) => boolean
  maskString: (value: string) => string
  mask: string
}

/**
 * Replaces secret values in valid JSON, and strings with secrets in them. Each string is decoded, masked and encoded again,
 * so the JSON stays valid whatever is in it. All else stays as it was written: spaces, numbers and repeated names.
 */
export function maskJsonValues(text: string, { isSecretMember, maskString, mask }: JsonMask): string {
  let masked = ''
  let from = 0
  let at = text.indexOf('"')
  while (at !== -1) {
    let end = endOfString(text, at) + 1
    const string = decode(text.slice(at, end))
    const shown = maskString(string)
    if (shown !== string) {
      masked += text.slice(from, at) + JSON.stringify(shown)
      from = end
    }
    const colon = nextCharacter(text, end)
    if (text[colon] === ':') {
      const start = nextCharacter(text, colon + 1)
      end = start
      if (HIDDEN_START.test(text[start] as string) && isSecretMember(string, text, start)) {
        masked += text.slice(from, start) + JSON.stringify(maskOf(text[start] as string, mask))
        end = endOfValue(text, start)
        from = end
      }
    }
    at = text.indexOf('"', end)
  }
  return masked + text.slice(from)
}

/** Whether a value is an object or a list of objects, whose members have names of their own. */
export function holdsObjects(text: string, start: number): boolean {
  if (text[start] !== '[') return text[start] === '{'
  return '{]'.includes(text[nextCharacter(text, start + 1)] ?? ']')
}

/** With its type, if it is no string: a secret of another type is what was refused. */
function maskOf(firstCharacter: string, mask: string): string {
  if (firstCharacter === '"') return mask
  return `${mask} ${firstCharacter === '[' ? 'list' : firstCharacter === '{' ? 'object' : 'number'}`
}

const decode = (string: string): string => (string.includes('\\') ? JSON.parse(string) : string.slice(1, -1))

/** The offset of the next character that is no space. */
function nextCharacter(text: string, from: number): number {
  NON_SPACE.lastIndex = from
  return NON_SPACE.exec(text)?.index ?? text.length
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start) + 1
  return text[start] === '[' || text[start] === '{' ? endOfContainer(text, start) : endOfNumber(text, start)
}

function endOfContainer(text: string, start: number): number {
  let depth = 0
  BRACKET_OR_QUOTE.lastIndex = start
  for (let found = BRACKET_OR_QUOTE.exec(text); found; found = BRACKET_OR_QUOTE.exec(text)) {
    const [character] = found
    if (character === '"') BRACKET_OR_QUOTE.lastIndex = endOfString(text, found.index) + 1
    else if (character === '[' || character === '{') depth++
    else if (--depth === 0) break
  }
  return BRACKET_OR_QUOTE.lastIndex
}

function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start
  NUMBER.exec(text)
  return NUMBER.lastIndex
}
