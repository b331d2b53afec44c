import { parseJsonBody } from '../../http/json-body.ts'
import { ApiError, toViolation } from '../../platform/errors/api-error.ts'
import { type Position, SeedError, type SeedProblem } from './problems.ts'
import { parsePath, type SeedText } from './seed-text.ts'

/** Undefined if it is not JSON: it may be YAML with braces, and if not, the parser of YAML knows the place. */
export function parseJsonText(bytes: Uint8Array, text: string): SeedText | undefined {
  const locate = (path: string) => positionAt(text, new JsonScan(text).find(parsePath(path)))
  try {
    return { value: parseJsonBody(bytes), locate }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.cause !== undefined) return undefined
    throw new SeedError([explain(error, text, locate)])
  }
}

function explain(error: ApiError, text: string, locate: SeedText['locate']): SeedProblem {
  const { path, reason } = toViolation(error)
  if (path) return { path, reason, ...locate(path) }
  const repeated = new JsonScan(text).findRepeatedKey()
  return { path: '', reason: `is not valid: ${reason}`, ...positionAt(text, repeated ?? 0) }
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/** Walks through valid JSON text. */
class JsonScan {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The offset of a value: of its key in an object. Of the nearest value around it if it does not exist. */
  find(path: readonly (string | number)[]): number {
    this.#at = 0
    this.#skipSpace()
    let found = this.#at
    for (const segment of path) {
      const next = typeof segment === 'number' ? this.#enterItem(segment) : this.#enterMember(segment)
      if (next === undefined) return found
      found = next
    }
    return found
  }

  findRepeatedKey(): number | undefined {
    this.#at = 0
    this.#skipSpace()
    return this.#skipValue(true)
  }

  #enterItem(index: number): number | undefined {
    if (!this.#take('[')) return undefined
    for (let position = 0; !this.#isAt(']'); position++) {
      if (position === index) return this.#at
      this.#skipValue(false)
      this.#take(',')
    }
    return undefined
  }

  #enterMember(name: string): number | undefined {
    if (!this.#take('{')) return undefined
    while (!this.#isAt('}')) {
      const start = this.#at
      const key = this.#readString()
      this.#take(':')
      if (key === name) return start
      this.#skipValue(false)
      this.#take(',')
    }
    return undefined
  }

  /** Returns the offset of a repeated key, if they are looked for. */
  #skipValue(findRepeated: boolean): number | undefined {
    let repeated: number | undefined
    if (this.#isAt('"')) this.#readString()
    else if (this.#take('[')) {
      while (!this.#take(']') && repeated === undefined) {
        repeated = this.#skipValue(findRepeated)
        this.#take(',')
      }
    } else if (this.#take('{')) {
      const seen = new Set<string>()
      while (!this.#take('}') && repeated === undefined) {
        const start = this.#at
        const key = this.#readString()
        if (findRepeated && seen.has(key)) return start
        seen.add(key)
        this.#take(':')
        repeated = this.#skipValue(findRepeated)
        this.#take(',')
      }
    } else {
      while (/[^\s,\]}]/.test(this.#text[this.#at] ?? ' ')) this.#at++
      this.#skipSpace()
    }
    return repeated
  }

  #readString(): string {
    const start = this.#at
    for (this.#at++; this.#text[this.#at] !== '"'; this.#at++) if (this.#text[this.#at] === '\\') this.#at++
    this.#at++
    const key = JSON.parse(this.#text.slice(start, this.#at)) as string
    this.#skipSpace()
    return key
  }

  #isAt(character: string): boolean {
    return this.#text[this.#at] === character
  }

  #take(character: string): boolean {
    if (!this.#isAt(character)) return false
    this.#at++
    this.#skipSpace()
    return true
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? 'x')) this.#at++
  }
}
