/** A payload as JSON text and as a value. Each is derived from the other at most once, when it is needed. */
export class EventPayload {
  #text: string | undefined
  #value: object | undefined
  readonly #serialize: (() => string) | undefined

  private constructor(text: string | undefined, value: object | undefined, serialize?: () => string) {
    this.#text = text
    this.#value = value
    this.#serialize = serialize
  }

  static ofText(text: string): EventPayload {
    return new EventPayload(text, undefined)
  }

  /** `serialize` returns the same text as `JSON.stringify`, with less work. */
  static ofValue(value: object, serialize?: () => string): EventPayload {
    return new EventPayload(undefined, value, serialize)
  }

  get text(): string {
    this.#text ??= this.#serialize?.() ?? JSON.stringify(this.#value)
    return this.#text
  }

  /** Throws if the text is not JSON. */
  get value(): object {
    this.#value ??= JSON.parse(this.#text as string) as object
    return this.#value
  }
}
