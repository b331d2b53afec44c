/** Random numbers for random filter expressions. The same seed returns the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const LISTS = ['n', 'm', 'l', 'k', 'w', 'd', 'o.l']
const VALUES = ['d', 'e', 't', 'p', 'o', 'w', 'x', 'o.q', 'o.s', 'missing', 'n.missing']
const INNER_FIELDS = ['q', 's', 'l', 'yes', 'missing']
const LITERALS = ['1', '2.5', '-1', '0x1Fu', 'true', 'false', 'null', "'SHOE-1'", '"a"', "''", '9223372036854775807']
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>=', ' in ']
const QUANTIFIERS = ['all', 'exists', 'exists_one']
const TEXT_TESTS = ['startsWith', 'endsWith', 'contains']

type Variables = readonly string[]

/** A valid condition of at most `maxLength` characters. Quantifiers are often nested, lists repeat values. */
export const randomCondition = (random: () => number, maxLength: number): string =>
  fitting(maxLength, () => new Generator(random).condition(2 + Math.floor(random() * 6), []))

/** A list of at most `maxLength` characters, of lists and other values. */
export const randomList = (random: () => number, maxLength: number): string =>
  fitting(maxLength, () => new Generator(random).list(2 + Math.floor(random() * 6), []))

function fitting(maxLength: number, make: () => string): string {
  for (;;) {
    const text = make()
    if (text.length <= maxLength) return text
  }
}

class Generator {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  condition(depth: number, variables: Variables): string {
    if (depth <= 0) return this.#pick(['true', 'false', this.#leaf(variables)])
    const less = depth - 1
    const quantified = () => this.#quantified(less, variables)
    return this.#pick([
      quantified,
      quantified,
      quantified,
      () => `${this.#value(less, variables)}${this.#pick(COMPARISONS)}${this.#value(less, variables)}`,
      () => `${this.list(less, variables)}${this.#pick(['==', '!=', ' in '])}${this.list(less, variables)}`,
      () => `(${this.condition(less, variables)}${this.#pick(['&&', '||'])}${this.condition(less, variables)})`,
      () => `!(${this.condition(less, variables)})`,
      () => `has(${this.#leaf(variables)}.${this.#pick(INNER_FIELDS)})`,
      () => `${this.#leaf(variables)}.${this.#pick(TEXT_TESTS)}(${this.#leaf(variables)})`,
    ])()
  }

  #value(depth: number, variables: Variables): string {
    if (depth <= 0) return this.#leaf(variables)
    return this.#pick([
      () => this.#leaf(variables),
      () => this.list(depth, variables),
      () => `size(${this.#value(depth - 1, variables)})`,
      () => `(${this.condition(depth - 1, variables)}?${this.#leaf(variables)}:${this.#leaf(variables)})`,
      () => `(${this.condition(depth - 1, variables)})`,
    ])()
  }

  list(depth: number, variables: Variables): string {
    if (depth <= 0 || this.#random() < 0.4) return this.#pick([...LISTS, ...variables])
    const item = this.#value(depth - 1, variables)
    return `[${Array(1 + Math.floor(this.#random() * 6))
      .fill(item)
      .join(',')}]`
  }

  #quantified(depth: number, variables: Variables): string {
    const variable = `v${variables.length}`
    const test = this.condition(depth, [...variables, variable])
    return `${this.list(depth, variables)}.${this.#pick(QUANTIFIERS)}(${variable},${test})`
  }

  #leaf(variables: Variables): string {
    const kind = this.#random()
    if (kind < 0.2) return this.#pick(LITERALS)
    if (kind < 0.5 || variables.length === 0) return this.#pick(VALUES)
    const variable = this.#pick(variables)
    return this.#random() < 0.5 ? variable : `${variable}.${this.#pick(INNER_FIELDS)}`
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item
  }
}
