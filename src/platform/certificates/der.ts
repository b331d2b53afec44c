/** The Distinguished Encoding Rules of ASN.1 (ITU-T X.690), as far as a certificate needs them. */

const TAGS = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  context: 0x80,
  constructed: 0x20,
} as const

export const sequence = (...items: readonly Uint8Array[]) => encode(TAGS.sequence, ...items)

export const set = (...items: readonly Uint8Array[]) => encode(TAGS.set, ...items)

export const octetString = (content: Uint8Array) => encode(TAGS.octetString, content)

export const utf8String = (text: string) => encode(TAGS.utf8String, Buffer.from(text))

export const TRUE = encode(TAGS.boolean, Buffer.from([0xff]))

/** A number from its bytes, most significant first. It is never negative. */
export function integer(bytes: Uint8Array): Buffer {
  const firstNonZero = bytes.findIndex((byte) => byte !== 0)
  const digits = firstNonZero === -1 ? bytes.subarray(-1) : bytes.subarray(firstNonZero)
  const sign = (digits[0] ?? 0) & 0x80 ? [0] : []
  return encode(TAGS.integer, Buffer.from(sign), digits)
}

/** Bits of which the last `unusedBits` do not count. */
export const bitString = (content: Uint8Array, unusedBits = 0) =>
  encode(TAGS.bitString, Buffer.from([unusedBits]), content)

/** An object identifier such as `2.5.29.17`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return encode(TAGS.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(toBase128)]))
}

/** A time to the second. RFC 5280 demands two digits of the year until 2049, and four from 2050 on. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`
  return date.getUTCFullYear() < 2050
    ? encode(TAGS.utcTime, Buffer.from(digits.slice(2)))
    : encode(TAGS.generalizedTime, Buffer.from(digits))
}

/** A field that is known by its number, with the given bytes in place of its own tag. */
export const implicit = (number: number, content: Uint8Array) => encode(TAGS.context | number, content)

/** A field that is known by its number and contains other values. */
export const explicit = (number: number, ...items: readonly Uint8Array[]) =>
  encode(TAGS.context | TAGS.constructed | number, ...items)

function encode(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag, ...encodeLength(content.length)]), content])
}

function encodeLength(length: number): number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 0x100)) bytes.unshift(rest % 0x100)
  return [0x80 | bytes.length, ...bytes]
}

function toBase128(value: number): number[] {
  const digits = [value % 0x80]
  for (let rest = Math.floor(value / 0x80); rest > 0; rest = Math.floor(rest / 0x80)) {
    digits.unshift(0x80 | (rest % 0x80))
  }
  return digits
}
