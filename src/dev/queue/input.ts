import { invalidParameter, missingParameter, QueueError } from './queue-error.ts'

/** What a message can contain, and XML and PostgreSQL can represent. */
const INVALID_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

export const hasInvalidCharacter = (text: string) => INVALID_CHARACTER.test(text)

const MAX_QUOTED_LENGTH = 100
const quote = (text: string) => (text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}...` : text)

interface Range {
  min: number
  max: number
}

type Fields = Record<string, unknown>

/** The parameters of a request or of an entry of a batch, as they arrived. Both protocols have the same names. */
export class Input {
  readonly #fields: Fields

  constructor(fields: unknown) {
    if (!isObject(fields)) throw malformed('A structure')
    this.#fields = fields
  }

  /** Text with any characters. */
  rawText(name: string): string | undefined {
    const value = this.#get(name)
    if (value !== undefined && typeof value !== 'string') throw malformed(name)
    return value
  }

  text(name: string): string | undefined {
    const value = this.rawText(name)
    return value === undefined ? undefined : requireCharacters(name, value)
  }

  requireText(name: string): string {
    const value = this.text(name)
    if (value === undefined || value === '') throw missingParameter(name)
    return value
  }

  /** The query protocol sends numbers as text. */
  integer(name: string, { min, max }: Range): number | undefined {
    const value = this.#get(name)
    if (value === undefined) return undefined
    if (typeof value !== 'number' && typeof value !== 'string') throw malformed(name)
    const number = value === '' ? Number.NaN : Number(value)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    throw invalidParameter(name, quote(String(value)), `Must be an integer between ${min} and ${max}.`)
  }

  requireInteger(name: string, range: Range): number {
    const value = this.integer(name, range)
    if (value === undefined) throw missingParameter(name)
    return value
  }

  /** An empty list if the parameter is missing. */
  texts(name: string): string[] {
    return this.#list(name).map((item) => {
      if (typeof item !== 'string') throw malformed(name)
      return requireCharacters(name, item)
    })
  }

  structures(name: string): Input[] {
    return this.#list(name).map((item) => new Input(item))
  }

  /** The entries of a map of text; empty if the parameter is missing. */
  textMap(name: string): [string, string][] {
    return this.#entries(name).map(([key, value]) => {
      if (typeof value !== 'string') throw malformed(name)
      return [requireCharacters(name, key), requireCharacters(name, value)]
    })
  }

  structureMap(name: string): [string, Input][] {
    return this.#entries(name).map(([key, value]) => [requireCharacters(name, key), new Input(value)])
  }

  #get(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? undefined) : undefined
  }

  #list(name: string): unknown[] {
    const value = this.#get(name) ?? []
    if (!Array.isArray(value)) throw malformed(name)
    return value
  }

  #entries(name: string): [string, unknown][] {
    const value = this.#get(name) ?? {}
    if (!isObject(value)) throw malformed(name)
    return Object.entries(value)
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function requireCharacters(name: string, value: string): string {
  if (hasInvalidCharacter(value)) throw new QueueError('InvalidParameterValue', `${name} has invalid characters.`)
  return value
}

const malformed = (name: string) => new QueueError('MalformedInput', `${name} has a value of the wrong type.`)
