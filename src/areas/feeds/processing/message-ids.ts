/** Detects duplicate message ids. Messages must be checked in order; a message may be checked again. */
export class MessageIds {
  readonly #firstIndexes = new Map<number, number>()

  /** Returns false if an earlier message has the same id. */
  isFirst(messageId: number, index: number): boolean {
    const firstIndex = this.#firstIndexes.get(messageId) ?? index
    this.#firstIndexes.set(messageId, firstIndex)
    return firstIndex === index
  }
}
