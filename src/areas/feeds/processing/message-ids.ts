/** Which message of a feed was the first with an id. A message may be looked at again, but none is left out. */
export class MessageIds {
  readonly #firstIndexes = new Map<number, number>()

  /** False when a message before it has the same id. */
  isFirst(messageId: number, index: number): boolean {
    const firstPlace = this.#firstIndexes.get(messageId) ?? index
    this.#firstIndexes.set(messageId, firstPlace)
    return firstPlace === index
  }
}
