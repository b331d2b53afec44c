const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

export const MAX_NESTING_LEVELS = 100
/** Of a request or of a message of a feed. What sellers send has far fewer. */
export const MAX_PARTS = 20_000

export interface Parts {
  members: number
  /** Members, objects and lists. */
  parts: number
  levels: number
}

/**
 * Counts what JSON text consists of, up to the limits. Of text that is not JSON, any numbers. To be called before the text
 * is parsed: a megabyte of nested lists, or of keys, takes a quarter of a second.
 */
export function countParts(text: string, maxParts: number): Parts {
  let members = 0
  let containers = 0
  let level = 0
  let levels = 0
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (character === QUOTE) {
      index = endOfString(text, index)
      if (index === -1) break
    } else if (character === COLON) members++
    else if (character === OPEN_OBJECT || character === OPEN_LIST) {
      containers++
      levels = Math.max(levels, ++level)
    } else if (character === CLOSE_OBJECT || character === CLOSE_LIST) level--
    else continue
    if (levels > MAX_NESTING_LEVELS || members + containers > maxParts) break
  }
  return { members, parts: members + containers, levels }
}

/** The offset of the quote that ends a string, or -1. */
export function endOfString(text: string, start: number): number {
  let end = start
  let escaped: boolean
  do {
    end = text.indexOf('"', end + 1)
    if (end === -1) return end
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    escaped = (end - before) % 2 === 0
  } while (escaped)
  return end
}
