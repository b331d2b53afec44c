type IsSecret = (name: string) => boolean
type Mask = (secret: string) => string

// XML may be escaped into a text of other XML. No expression reads beyond the next tag, because clients choose the text.
const TAG = /(<|&lt;)(\/?)([\w.:-]{1,150})/g
const TAG_ENDS: Record<string, RegExp> = { '<': /[<>]/g, '&lt;': /&[lg]t;/g }
// The quotes have backslashes in an excerpt of JSON.
const ATTRIBUTE = /\s([\w.:-]{1,150})\s{0,5}=\s{0,5}(\\{0,15}["']|&quot;|&apos;|&#3[49];)/g

/** Replaces the content of secret elements, with all elements in it. One without an end is hidden to the end of the text. */
export function maskElements(text: string, isSecret: IsSecret, mask: Mask): string {
  let masked = ''
  let from = 0
  let hidden: { tag: string; depth: number } | undefined
  TAG.lastIndex = 0
  for (let found = TAG.exec(text); found; found = TAG.exec(text)) {
    const [, opening = '', slash = '', name = ''] = found
    const tag = opening + name
    if (hidden ? hidden.tag !== tag : slash || !isSecret(localName(name))) continue
    const end = endOfTag(text, TAG.lastIndex, opening)
    if (end === undefined || (text[end.start - 1] === '/' && !slash)) continue
    TAG.lastIndex = end.end
    if (!hidden) {
      hidden = { tag, depth: 1 }
      masked += text.slice(from, end.end)
      from = end.end
    } else {
      hidden.depth += slash ? -1 : 1
      if (hidden.depth > 0) continue
      hidden = undefined
      if (found.index > from) masked += mask(text.slice(from, found.index))
      from = found.index
    }
  }
  if (!hidden) return masked + text.slice(from)
  return from < text.length ? masked + mask(text.slice(from)) : masked
}

/** Replaces the values of secret attributes: up to the quote that they begin with, or to the end of the text. */
export function maskAttributes(text: string, isSecret: IsSecret, mask: Mask): string {
  let masked = ''
  let from = 0
  ATTRIBUTE.lastIndex = 0
  for (let found = ATTRIBUTE.exec(text); found; found = ATTRIBUTE.exec(text)) {
    const [, name = '', quote = ''] = found
    if (!isSecret(localName(name))) continue
    const start = ATTRIBUTE.lastIndex
    const closing = text.indexOf(quote, start)
    const end = closing === -1 ? text.length : closing
    masked += text.slice(from, start) + (end === start ? '' : mask(text.slice(start, end)))
    from = end
    ATTRIBUTE.lastIndex = from
  }
  return masked + text.slice(from)
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Where the tag ends whose name ends at an offset. Undefined if another one begins before, or the text ends. */
function endOfTag(text: string, from: number, opening: string): { start: number; end: number } | undefined {
  const pattern = TAG_ENDS[opening] as RegExp
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found && found[0] !== opening ? { start: found.index, end: pattern.lastIndex } : undefined
}
