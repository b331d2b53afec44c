/** Element types of PostgreSQL, by their ids. */
const TEXT = 25
const BIGINT = 20

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const BIGINT_BYTES = 8
const MAX_UTF8_BYTES_PER_UNIT = 3
const COUNTED_LENGTH = 64
const NULL_LENGTH = -1
const TWO_TO_32 = 2 ** 32

/**
 * Arrays in the binary format of PostgreSQL. As text, each string in an array would have to be escaped here and parsed
 * there, and the attributes of a listing consist of quotes to a fifth.
 */
export function encodeTexts(texts: readonly (string | null)[]): Buffer {
  let bytes = HEADER_BYTES
  for (const text of texts) bytes += LENGTH_BYTES + (text === null ? 0 : maxBytesOf(text))
  const buffer = Buffer.allocUnsafe(bytes)
  let end = writeHeader(buffer, TEXT, texts)
  for (const text of texts) {
    const length = text === null ? NULL_LENGTH : buffer.write(text, end + LENGTH_BYTES)
    buffer.writeInt32BE(length, end)
    end += LENGTH_BYTES + Math.max(length, 0)
  }
  return buffer.subarray(0, end)
}

export function encodeBigints(numbers: readonly (number | null)[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + numbers.length * (LENGTH_BYTES + BIGINT_BYTES))
  let end = writeHeader(buffer, BIGINT, numbers)
  for (const number of numbers) {
    buffer.writeInt32BE(number === null ? NULL_LENGTH : BIGINT_BYTES, end)
    end += LENGTH_BYTES
    if (number === null) continue
    if (!Number.isSafeInteger(number)) throw new RangeError(`${number} is not an integer that can be stored`)
    buffer.writeInt32BE(Math.floor(number / TWO_TO_32), end)
    buffer.writeUInt32BE(number >>> 0, end + LENGTH_BYTES)
    end += BIGINT_BYTES
  }
  return buffer.subarray(0, end)
}

// Counting takes longer than the place is worth, unless a text is long.
const maxBytesOf = (text: string) =>
  text.length <= COUNTED_LENGTH ? text.length * MAX_UTF8_BYTES_PER_UNIT : Buffer.byteLength(text)

/** One dimension, whose first index is 1. */
function writeHeader(buffer: Buffer, elementType: number, values: readonly unknown[]): number {
  const fields = [1, Number(values.includes(null)), elementType, values.length, 1]
  fields.forEach((field, index) => {
    buffer.writeInt32BE(field, index * LENGTH_BYTES)
  })
  return HEADER_BYTES
}
