/**
 * A long text that many messages have in common, with what is derived from it: a payload is JSON within JSON where it
 * is stored and sent, and to escape it takes longer than all else that happens to a message.
 */
export class SharedText {
  #text: string | undefined
  #escaped: Buffer | undefined
  #bytes: number | undefined
  /** Characters of the text, or bytes of the escaped text it was created from. */
  readonly length: number

  private constructor(text: string | undefined, escaped: Buffer | undefined, length: number) {
    this.#text = text
    this.#escaped = escaped
    this.length = length
  }

  static ofText(text: string): SharedText {
    return new SharedText(text, undefined, text.length)
  }

  /** Of what is between the quotes of a JSON string, in UTF-8. */
  static ofEscaped(escaped: Buffer): SharedText {
    return new SharedText(undefined, escaped, escaped.length)
  }

  get text(): string {
    this.#text ??= JSON.parse(`"${this.#escaped}"`) as string
    return this.#text
  }

  get escaped(): Buffer {
    this.#escaped ??= toOwnMemory(Buffer.from(escapeText(this.text)))
    return this.#escaped
  }

  /** The length in UTF-8, or somewhat more if the text has not been read. */
  get mostBytes(): number {
    this.#bytes ??= this.#text === undefined ? this.escaped.length : Buffer.byteLength(this.#text)
    return this.#bytes
  }
}

/** Short buffers share the memory of larger ones, which one that is kept would hold on to. */
export function toOwnMemory(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

/** Returns what is between the quotes of a JSON string. A surrogate without its other half is escaped. */
export const escapeText = (text: string): string => JSON.stringify(text).slice(1, -1)
