/** The content of a document that is being written. Knows whether the source itself failed, and not the store. */
export class WatchedSource {
  readonly #source: AsyncIterable<Uint8Array>
  bytes = 0
  failure: { error: unknown } | undefined

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#read()) {
      this.bytes += chunk.byteLength
      yield chunk
    }
  }

  // A generator of its own, because a reader can throw an error of the store into the one that it reads.
  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#source
    } catch (error) {
      this.failure = { error }
      throw error
    }
  }
}
