/**
 * A small generator of random numbers (sfc32), the same on every machine for the same seed. Each decision has a
 * generator of its own, so that no state has to be stored between steps.
 */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  private constructor(a: number, b: number, c: number) {
    this.#a = a
    this.#b = b
    this.#c = c
    // The first numbers still resemble the seed.
    for (let round = 0; round < 12; round++) this.#next()
  }

  /** The generator of a decision: `Random.of(seed, 'buyers', 7)`. */
  static of(...parts: readonly (string | number)[]): Random {
    const text = parts.join('\n')
    return new Random(hash(text, 0x9e3779b9), hash(text, 0x243f6a88), hash(text, 0xb7e15162))
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    this.#c |= 0
    return sum >>> 0
  }

  /** From 0 to below 1. */
  fraction(): number {
    return this.#next() / 2 ** 32
  }

  /** From `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1))
  }

  /** Between two numbers. */
  between(min: number, max: number): number {
    return min + this.fraction() * (max - min)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.integer(0, items.length - 1)] as Item
  }

  /** Picks an item whose weight is above zero. Returns undefined if there is none. */
  pickWeighted<Item>(items: readonly Item[], weightOf: (item: Item) => number): Item | undefined {
    let total = 0
    for (const item of items) total += weightOf(item)
    let rest = this.fraction() * total
    for (const item of items) {
      rest -= weightOf(item)
      if (rest < 0) return item
    }
    return undefined
  }
}

/** MurmurHash3 of the code units, without the tail: enough to spread seeds. */
function hash(text: string, seed: number): number {
  let value = seed
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0xcc9e2d51)
    value = (value << 13) | (value >>> 19)
    value = (Math.imul(value, 5) + 0xe6546b64) | 0
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return value ^ (value >>> 16)
}
