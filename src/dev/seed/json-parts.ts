import { endOfString } from '../../platform/json-size.ts'

export const PART_CHARACTERS = 256 * 1024
const COMMA = 0x2c
const QUOTE = 0x22
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** A piece of an object that can be read by itself. */
export interface JsonPart {
  name: string
  /** JSON of an object with that one field, as deep as in the whole. */
  text: string
  /** Where the piece ends in the whole. */
  end: number
}

/**
 * Splits an object between its fields and between the items of its lists. Returns false in the end if the text cannot
 * be valid, or has a field twice, which the parts do not show. What is within a part is for its reader to check.
 */
export function* splitJson(text: string, partCharacters: number): Generator<JsonPart, boolean> {
  const names = new Set<string>()
  let at = skipSpace(text, 0)
  if (text[at] !== '{') return false
  do {
    const start = skipSpace(text, at + 1)
    const keyEnd = text[start] === '"' ? endOfString(text, start) : -1
    const colon = skipSpace(text, keyEnd + 1)
    if (keyEnd === -1 || text[colon] !== ':') return false
    const key = text.slice(start, keyEnd + 1)
    const name: string = JSON.parse(key)
    if (names.has(name)) return false
    names.add(name)
    at = skipSpace(text, colon + 1)
    if (text[at] === '[') {
      let isFirst = true
      do {
        const first = at + 1
        at = endOfPart(text, first, first + partCharacters)
        const items = text.slice(first, at)
        // Nothing follows the last comma.
        if (at === -1 || text[at] === '}' || (!isFirst && items.trim() === '')) return false
        isFirst = false
        yield { name, text: `{${key}:[${items}]}`, end: at }
      } while (text[at] === ',')
      at = skipSpace(text, at + 1)
    } else {
      const end = endOfPart(text, at, at)
      if (end === -1) return false
      yield { name, text: `{${key}:${text.slice(at, end)}}`, end }
      at = end
    }
  } while (text[at] === ',')
  return text[at] === '}' && skipSpace(text, at + 1) === text.length
}

/**
 * The offset of the first comma of the list or the object around from `minEnd` on, or of its end. -1 if there is
 * neither.
 */
function endOfPart(text: string, start: number, minEnd: number): number {
  let level = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      at = endOfString(text, at)
      if (at === -1) return -1
    } else if (character === COMMA) {
      if (level === 0 && at >= minEnd) return at
    } else if (character === OPENING_BRACE || character === OPENING_BRACKET) level++
    else if ((character === CLOSING_BRACE || character === CLOSING_BRACKET) && level-- === 0) return at
  }
  return -1
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (' \n\r\t'.includes(text[at] ?? 'x')) at++
  return at
}
