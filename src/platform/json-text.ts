/** JSON that is sent unchanged: text, or bytes if it is large. */
export type JsonText = string | Buffer

const LARGE_CHARACTERS = 32 * 1024

const MAX_BYTES_PER_CHARACTER = 3

/** One text of many parts. */
export function joinText(parts: readonly string[]): JsonText {
  let characters = 0
  for (const part of parts) characters += part.length
  if (characters > LARGE_CHARACTERS) return encode(parts, characters)
  let text = ''
  for (const part of parts) text += part
  return text
}

/**
 * Part by part: a large text is copied three times on its way, which takes longer than all else. Most characters take
 * one byte, so the bytes of a part are counted only if there may be no room for them: to count them takes longer than
 * to write them.
 */
function encode(parts: readonly string[], characters: number): Buffer {
  let bytes: Buffer = Buffer.allocUnsafe(characters)
  let end = 0
  for (const part of parts) {
    if (part.length * MAX_BYTES_PER_CHARACTER > bytes.length - end) bytes = withRoomFor(part, bytes, end)
    end += bytes.write(part, end)
  }
  return bytes.subarray(0, end)
}

/** Grows to twice the size at least, so that little is copied. */
function withRoomFor(part: string, bytes: Buffer, end: number): Buffer {
  const needed = end + Buffer.byteLength(part)
  if (needed <= bytes.length) return bytes
  const larger = Buffer.allocUnsafe(Math.max(needed, 2 * bytes.length))
  bytes.copy(larger, 0, 0, end)
  return larger
}
