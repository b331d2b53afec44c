/**
 * A body as text: UTF-8, or UTF-16, which some shells write to files. Read as UTF-8, that would have a NUL after each
 * character, and nothing in it would be known as a secret.
 */
export function decodeText(bytes: Buffer): string {
  const [first, second, third, fourth] = bytes
  const isLittleEndian = (first === 0xff && second === 0xfe) || (second === 0 && fourth === 0)
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && third === 0)
  if (bytes.length < 4 || isLittleEndian === isBigEndian) return bytes.toString('utf8')
  return new TextDecoder(isLittleEndian ? 'utf-16le' : 'utf-16be').decode(bytes)
}
