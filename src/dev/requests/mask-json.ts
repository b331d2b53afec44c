// The quotes of a name and its text have the same backslashes.
const MEMBER = /"([\w.-]{1,100})(\\*)"\s*:\s*\2"/g

/**
 * Replaces the texts of members in JSON, also of JSON within its strings, where quotes have backslashes: `\"name\":\"text\"`.
 * The text need not be valid or complete; valid JSON stays valid. Reads each character a fixed number of times: clients choose the text.
 */
export function maskJsonMembers(text: string, isSecret: (name: string) => boolean, mask: string): string {
  let masked = ''
  let from = 0
  MEMBER.lastIndex = 0
  for (let member = MEMBER.exec(text); member; member = MEMBER.exec(text)) {
    const [, name = '', backslashes = ''] = member
    if (!isSecret(name)) {
      // What looks like a text may be the name of the next member, as in `{"a":"b":`.
      MEMBER.lastIndex--
      continue
    }
    masked += text.slice(from, MEMBER.lastIndex) + mask
    from = endOf(text, MEMBER.lastIndex, levelOf(backslashes.length))
    MEMBER.lastIndex = from
  }
  return masked + text.slice(from)
}

/** Where a string ends that begins at a level: before the next quote of the same level or of a string around it. */
function endOf(text: string, start: number, level: number): number {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
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
