/** JSON that is sent unchanged: text, or bytes if it is large. */
export type JsonText = string | Buffer

const LARGE_CHARACTERS = 32 * 1024

/** One text of many parts. */
export function joinText(parts: readonly string[]): JsonText {
  let text = ''
  for (const part of parts) text += part
  return text.length > LARGE_CHARACTERS ? encode(parts) : text
}

// Part by part: a large text is copied three times on its way, which takes longer than all else.
function encode(parts: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0))
  let end = 0
  for (const part of parts) end += bytes.write(part, end)
  return bytes
}
