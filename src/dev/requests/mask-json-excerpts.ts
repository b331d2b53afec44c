import type { JsonMask } from './mask-json-values.ts'

// The quotes of a name and its text have the same backslashes. A character of a name may be escaped. What is not valid
// may have single quotes or none.
const MEMBER = /(?:["']|[{,]\s*)((?:[\w.%-]|\\{1,15}u[0-9a-f]{4}){1,100})(\\*)["']?\s*:\s*(?=(\2"|[^\s"\\,}\]]))/gi
/** Without quotes. Those of a string around it may have backslashes. */
const BARE_VALUE = /[^"\\,}\r\n]*(?:\\+(?!["\\])[^"\\,}\r\n]*)*/y
// Whether a secret is one of these says nothing about it.
const HARMLESS_VALUE = /(?:null|true|false)(?![^\s"\\,}])/y

/**
 * Replaces the values of members of JSON anywhere in a text, also within strings of JSON, where quotes have backslashes:
 * `\"name\":\"text\"`. It need not be valid: it may be cut, a part of a message, or have other quotes. Reads each character
 * a fixed number of times: clients choose the text.
 */
export function maskJsonMembers(
  text: string,
  { isSecretMember, mask }: Pick<JsonMask, 'isSecretMember' | 'mask'>,
): string {
  let masked = ''
  let from = 0
  MEMBER.lastIndex = 0
  for (let member = MEMBER.exec(text); member; member = MEMBER.exec(text)) {
    const [, name = '', backslashes = '', opening = ''] = member
    const start = MEMBER.lastIndex
    if (!isSecretMember(name, text, start)) continue
    const level = levelOf(backslashes.length)
    if (opening.endsWith('"') || opening === "'") {
      const textStart = start + opening.length
      masked += text.slice(from, textStart) + mask
      from = opening === "'" ? endOf(text, textStart, 0, "'") : endOf(text, textStart, level)
    } else {
      HARMLESS_VALUE.lastIndex = start
      if (HARMLESS_VALUE.test(text)) continue
      // What is valid stays valid.
      const quote = /[[{\d-]/.test(opening) ? `${'\\'.repeat(2 ** level - 1)}"` : ''
      masked += text.slice(from, start) + quote + mask + quote
      from = opening === '[' || opening === '{' ? endOfContainer(text, start, level) : endOfBare(text, start)
    }
    MEMBER.lastIndex = from
  }
  return masked + text.slice(from)
}

/** Where a list or an object ends that begins at a level: after its bracket, or before the end of a string around it. */
function endOfContainer(text: string, start: number, level: number): number {
  let depth = 0
  let backslashes = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      const found = levelOf(backslashes)
      if (found < level) return at - (2 ** found - 1)
      const end = endOf(text, at + 1, level)
      at = end
      while (text[at] === '\\') at++
      if (at === text.length || levelOf(at - end) < level) return end
    } else if (character === '[' || character === '{') depth++
    else if ((character === ']' || character === '}') && --depth === 0) return at + 1
    backslashes = character === '\\' ? backslashes + 1 : 0
  }
  return text.length
}

function endOfBare(text: string, start: number): number {
  BARE_VALUE.lastIndex = start
  BARE_VALUE.exec(text)
  return BARE_VALUE.lastIndex
}

/** Where a string ends that begins at a level: before the next quote of the same level or of a string around it. */
function endOf(text: string, start: number, level: number, mark = '"'): number {
  for (let quote = text.indexOf(mark, start); quote !== -1; quote = text.indexOf(mark, quote + 1)) {
    let first = quote
    while (first > start && text[first - 1] === '\\') first--
    const found = levelOf(quote - first)
    if (found <= level) return quote - (2 ** found - 1)
  }
  return text.length
}

/**
 * How many strings a quote is inside of. Each string around it doubles its backslashes and adds one, so this is the number
 * of ones at the end of their binary count.
 */
function levelOf(backslashes: number): number {
  let level = 0
  for (let rest = backslashes; rest % 2 === 1; rest = (rest - 1) / 2) level++
  return level
}
