import { endOfString, MAX_NESTING_LEVELS } from '../../platform/json-size.ts'

interface Child {
  /** Where it begins: a member with its name. */
  start: number
  value: number
}

/** An object or a list, as far as it was read. */
interface Container {
  children: Map<string | number, Child>
  /** Where the next child begins, or the end is. */
  next: number
}

/**
 * Walks through valid JSON text. What it has read of an object or a list is kept, so that the places of many mistakes take
 * one pass.
 */
export class JsonScan {
  readonly #text: string
  readonly #containers = new Map<number, Container>()

  constructor(text: string) {
    this.#text = text
  }

  /** The offset of a value: of its key in an object. Of the nearest value around it if it does not exist. */
  find(path: readonly (string | number)[]): number {
    let found = this.#skipSpace(0)
    let value = found
    for (const key of path) {
      const child = this.#findChild(value, key)
      if (!child) return found
      found = child.start
      value = child.value
    }
    return found
  }

  /** The offset of the first key that is repeated or not allowed, or of what is nested too deeply. */
  findRefused(): number | undefined {
    /** The names of each object around, and undefined for a list. */
    const around: (Set<string> | undefined)[] = []
    for (let at = 0; at < this.#text.length; at++) {
      const character = this.#text[at]
      if (character === '{' || character === '[') {
        around.push(character === '{' ? new Set() : undefined)
        if (around.length > MAX_NESTING_LEVELS) return at
      } else if (character === '}' || character === ']') around.pop()
      else if (character === '"') {
        const end = endOfString(this.#text, at)
        if (this.#text[this.#skipSpace(end + 1)] === ':') {
          const names = around.at(-1)
          const name = JSON.parse(this.#text.slice(at, end + 1)) as string
          if (name === '__proto__' || names?.has(name)) return at
          names?.add(name)
        }
        at = end
      }
    }
    return undefined
  }

  #findChild(offset: number, key: string | number): Child | undefined {
    if (this.#text[offset] !== (typeof key === 'number' ? '[' : '{')) return undefined
    const container = this.#containers.get(offset) ?? { children: new Map(), next: this.#skipSpace(offset + 1) }
    this.#containers.set(offset, container)
    const known = container.children.get(key)
    if (known) return known
    while (!']}'.includes(this.#text[container.next] as string)) {
      const [name, child] = this.#readChild(container)
      if (name === key) return child
    }
    return undefined
  }

  #readChild(container: Container): [name: string | number, child: Child] {
    const { children, next: start } = container
    let name: string | number = children.size
    let value = start
    if (this.#text[start] === '"') {
      const end = endOfString(this.#text, start)
      const colon = this.#skipSpace(end + 1)
      if (this.#text[colon] === ':') {
        name = JSON.parse(this.#text.slice(start, end + 1)) as string
        value = this.#skipSpace(colon + 1)
      }
    }
    const child = { start, value }
    children.set(name, child)
    const after = this.#skipSpace(this.#endOfValue(value))
    container.next = this.#text[after] === ',' ? this.#skipSpace(after + 1) : after
    return [name, child]
  }

  #endOfValue(start: number): number {
    let level = 0
    let at = start
    do {
      const character = this.#text[at] as string
      if (character === '"') at = endOfString(this.#text, at) + 1
      else if (character === '{' || character === '[') {
        level++
        at++
      } else if (character === '}' || character === ']') {
        level--
        at++
      } else if (/[\s,:]/.test(character)) at++
      else while (/[^\s,\]}]/.test(this.#text[at] ?? ' ')) at++
    } while (level > 0)
    return at
  }

  #skipSpace(start: number): number {
    let at = start
    while (/\s/.test(this.#text[at] ?? 'x')) at++
    return at
  }
}
