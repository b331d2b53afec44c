import type { SharedText } from '../shared-text.ts'

/** JSON text in two parts, so that payloads with the same end share it. */
export interface JsonText {
  start: string
  /** Absent if there is nothing to share. */
  end?: SharedText | undefined
}

/** A payload as JSON text and as a value. Each is derived from the other at most once, when it is needed. */
export class EventPayload {
  #text: JsonText | undefined
  #value: object | undefined
  readonly #serialize: (() => JsonText) | undefined

  private constructor(text: JsonText | undefined, value: object | undefined, serialize?: () => JsonText) {
    this.#text = text
    this.#value = value
    this.#serialize = serialize
  }

  static ofText(text: string): EventPayload {
    return new EventPayload({ start: text }, undefined)
  }

  /** `serialize` returns the same text as `JSON.stringify`, with less work. */
  static ofValue(value: object, serialize?: () => JsonText): EventPayload {
    return new EventPayload(undefined, value, serialize)
  }

  get text(): string {
    return joinText(this.parts)
  }

  get parts(): JsonText {
    this.#text ??= this.#serialize?.() ?? { start: JSON.stringify(this.#value) }
    return this.#text
  }

  get length(): number {
    return this.parts.start.length + (this.parts.end?.length ?? 0)
  }

  /** Throws if the text is not JSON. */
  get value(): object {
    this.#value ??= JSON.parse(this.text) as object
    return this.#value
  }
}

export const joinText = ({ start, end }: JsonText): string => start + (end?.text ?? '')

// What is before the common end of two texts, such as the seller, has at most this length.
const MIN_START = 128
const END_UNIT = 64

/**
 * Splits a long text, so that texts which differ at their start only have the same end. Its length is rounded, because
 * the starts may differ a little in length, too.
 */
export function splitText(text: string): { start: string; end: string } {
  const end = Math.max(0, Math.floor((text.length - MIN_START) / END_UNIT) * END_UNIT)
  return { start: text.slice(0, text.length - end), end: text.slice(text.length - end) }
}
