import { FeedFault } from '../fault.ts'

/** Bytes of the document, from `start` up to `end`. */
export interface Span {
  start: number
  end: number
}

/** Where the parts of a listings document lie. */
export interface Layout {
  header: Span
  messages: Span[]
}

export const MOST_MESSAGES = 25_000
const DEEPEST_NESTING = 100

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * Finds the parts of a document without taking it apart: as objects, all messages together would need many times the
 * memory that their bytes do. What lies inside of a part is for JSON.parse to judge, a part at a time.
 */
export function findLayout(bytes: Uint8Array): Layout {
  const scanner = new Scanner(bytes)
  let header: Span | undefined
  let messages: Span[] | undefined
  scanner.expect(OPEN_OBJECT, 'The document must be an object with a header and messages')
  if (!scanner.take(CLOSE_OBJECT)) {
    do {
      const key = scanner.key()
      if ((key === 'header' && header) || (key === 'messages' && messages)) throw scanner.fault(`${key} is there twice`)
      if (key === 'header') header = scanner.value()
      else if (key === 'messages') messages = scanner.elements()
      else parsePart(bytes, scanner.value(), key)
    } while (scanner.take(COMMA))
    scanner.expect(CLOSE_OBJECT, 'A comma or the end of the object is missing')
  }
  scanner.end()
  if (!header) throw new FeedFault('The document has no header.')
  if (!messages) throw new FeedFault('The document has no messages.')
  if (messages.length === 0) throw new FeedFault('The document has no messages: there must be at least one.')
  return { header, messages }
}

/** A part of the document as a value. */
export function parsePart(bytes: Uint8Array, { start, end }: Span, name: string): unknown {
  try {
    return JSON.parse(textOf(bytes, { start, end }))
  } catch (error) {
    throw faultAt(bytes, start, `In ${name}: ${error instanceof Error ? error.message : error}`)
  }
}

export const textOf = (bytes: Uint8Array, { start, end }: Span) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')

function faultAt(bytes: Uint8Array, position: number, reason: string): FeedFault {
  let line = 1
  for (let index = 0; index < position; index++) if (bytes[index] === 0x0a) line++
  return new FeedFault(`The document is not valid JSON at line ${line}, byte ${position + 1}. ${reason}.`)
}

class Scanner {
  readonly #bytes: Uint8Array
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  fault(reason: string): FeedFault {
    const ended = this.#position >= this.#bytes.length
    return faultAt(this.#bytes, this.#position, ended ? 'The document ends too early' : reason)
  }

  take(byte: number): boolean {
    this.#skipSpace()
    if (this.#bytes[this.#position] !== byte) return false
    this.#position++
    return true
  }

  expect(byte: number, otherwise: string): void {
    if (!this.take(byte)) throw this.fault(otherwise)
  }

  end(): void {
    this.#skipSpace()
    if (this.#position < this.#bytes.length) throw this.fault('There is something after the end of the document')
  }

  /** The name of a member, with the colon behind it. */
  key(): string {
    this.#skipSpace()
    const start = this.#position
    if (this.#bytes[start] !== QUOTE) throw this.fault('A key in quotes is missing')
    this.#skipString()
    const key = parsePart(this.#bytes, { start, end: this.#position }, 'a key')
    this.expect(COLON, 'A colon is missing')
    return String(key)
  }

  value(): Span {
    this.#skipSpace()
    const start = this.#position
    const byte = this.#bytes[start]
    if (byte === QUOTE) this.#skipString()
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#skipContainer()
    else this.#skipWord()
    return { start, end: this.#position }
  }

  elements(): Span[] {
    const elements: Span[] = []
    this.expect(OPEN_LIST, 'messages must be a list')
    if (this.take(CLOSE_LIST)) return elements
    do {
      if (elements.length === MOST_MESSAGES) {
        throw new FeedFault(`The document has more than ${MOST_MESSAGES} messages.`)
      }
      elements.push(this.value())
    } while (this.take(COMMA))
    this.expect(CLOSE_LIST, 'A comma or the end of the list is missing')
    return elements
  }

  #skipSpace(): void {
    while (isSpace(this.#bytes[this.#position])) this.#position++
  }

  #skipString(): void {
    const bytes = this.#bytes
    for (let index = this.#position + 1; index < bytes.length; index++) {
      const byte = bytes[index]
      if (byte === BACKSLASH) index++
      else if (byte === QUOTE) {
        this.#position = index + 1
        return
      }
    }
    this.#position = bytes.length
    throw this.fault('')
  }

  #skipContainer(): void {
    const bytes = this.#bytes
    let depth = 0
    while (this.#position < bytes.length) {
      const byte = bytes[this.#position]
      if (byte === QUOTE) {
        this.#skipString()
        continue
      }
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (++depth > DEEPEST_NESTING) throw this.fault(`It is nested more than ${DEEPEST_NESTING} levels deep`)
      } else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) {
        this.#position++
        return
      }
      this.#position++
    }
    throw this.fault('')
  }

  /** A number, true, false or null; whether it is one is for whoever parses it. */
  #skipWord(): void {
    const start = this.#position
    const ends = [COMMA, CLOSE_OBJECT, CLOSE_LIST]
    while (this.#position < this.#bytes.length) {
      const byte = this.#bytes[this.#position] as number
      if (ends.includes(byte) || isSpace(byte)) break
      this.#position++
    }
    if (this.#position === start) throw this.fault('A value is missing')
  }
}
