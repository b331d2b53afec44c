const DISPOSITION = /^content-disposition:[^\r\n]*/gim
// Also `name*=UTF-8''client_secret`.
const NAMES = /[\s;]name\*?\s{0,5}=\s{0,5}"?(?:[\w-]{0,40}'[\w-]{0,40}')?([^";]*)/gi
const HEADERS_END = /\r?\n\r?\n/g
const DELIMITER = /^\s*(--[^\r\n]+)/

/** Replaces the content of secret fields of a multipart body. Reads each character a fixed number of times. */
export function maskParts(text: string, isSecret: (name: string) => boolean, mask: string): string {
  let masked = ''
  let from = 0
  // The content may have lines that begin with hyphens, such as those of a key.
  const partEnd = `\n${DELIMITER.exec(text)?.[1]?.trimEnd() ?? '--'}`
  DISPOSITION.lastIndex = 0
  for (let part = DISPOSITION.exec(text); part; part = DISPOSITION.exec(text)) {
    if (![...part[0].matchAll(NAMES)].some(([, name = '']) => isSecret(name))) continue
    HEADERS_END.lastIndex = DISPOSITION.lastIndex
    if (!HEADERS_END.test(text)) break
    const start = HEADERS_END.lastIndex
    const end = text.indexOf(partEnd, start)
    masked += text.slice(from, start) + mask
    from = end === -1 ? text.length : end - (text[end - 1] === '\r' ? 1 : 0)
    DISPOSITION.lastIndex = from
  }
  return masked + text.slice(from)
}
