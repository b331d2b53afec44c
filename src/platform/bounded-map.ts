/**
 * A cache that holds at most `maxSize` entries and lets the one go that was set longest ago. Not the one used longest
 * ago: keeping count of uses would cost every reader more than loading an entry again costs a few.
 */
export class BoundedMap<Key, Value> {
  readonly #maxSize: number
  readonly #entries = new Map<Key, Value>()

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#maxSize) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  entries(): IterableIterator<[Key, Value]> {
    return this.#entries.entries()
  }

  values(): IterableIterator<Value> {
    return this.#entries.values()
  }
}
