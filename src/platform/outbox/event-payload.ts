/** A payload as JSON text and as a value. Each is derived from the other at most once, when it is needed. */
export class EventPayload {
  #text: string | undefined
  #value: object | undefined

  private constructor(text: string | undefined, value: object | undefined) {
    this.#text = text
    this.#value = value
  }

  static ofText(text: string): EventPayload {
    return new EventPayload(text, undefined)
  }

  static ofValue(value: object): EventPayload {
    return new EventPayload(undefined, value)
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.#value)
    return this.#text
  }

  /** Throws if the text is not JSON. */
  get value(): object {
    this.#value ??= JSON.parse(this.#text as string) as object
    return this.#value
  }
}
