import type { ErrorObject, ValidateFunction } from 'ajv'
import { findSimilar, rankSimilar } from '../platform/similar-words.ts'
import { parseTimestamp } from '../platform/timestamps.ts'
import { findMeantProperty } from './unknown-field.ts'

const MAX_CORRECTIONS = 20
const MAX_COMPARED_KEYS = 50
/** A longer text, such as a token, means nothing without its end. */
const MAX_SHORTENED_LENGTH = 1_000
const EXAMPLE_TIME = '2026-01-01T00:00:00Z'

type Fields = Record<string, unknown>

interface Schema {
  type?: string
  format?: string
  pattern?: string
  default?: unknown
  examples?: readonly unknown[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  minItems?: number
  minLength?: number
  minimum?: number
}

/** A value like the invalid one that satisfies the schema, or undefined if none is known. */
export function correctInput(schema: object, input: unknown, validate: ValidateFunction): unknown {
  const root = { value: structuredClone(input ?? {}) }
  for (let count = 0; count < MAX_CORRECTIONS; count++) {
    // A copy, because the validator converts and fills in values.
    if (validate(structuredClone(root.value))) return root.value
    const error = validate.errors?.[0]
    if (!error || !correct(root, error, schema)) return undefined
  }
  return undefined
}

/** Corrects one error in place. Returns false if it does not know how. */
function correct(root: { value: unknown }, error: ErrorObject, schema: object): boolean {
  const keys = ['value', ...pointerKeys(error.instancePath)]
  const last = keys.pop() as string
  const parent = memberAt(root, keys)
  if (!isFields(parent)) return false
  const owner = failedSchemaOf(schema, error)
  const value = parent[last]
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>
  if (missingProperty !== undefined) return isFields(value) && addMissing(value, missingProperty, owner)
  if (additionalProperty !== undefined) return isFields(value) && removeUnknown(value, additionalProperty, owner)
  const corrected = correctValue(value, error, owner, nameOf(last, keys))
  if (corrected === undefined || corrected === value) return false
  parent[last] = corrected
  return true
}

/** A key that looks like the missing one was probably meant. */
function addMissing(fields: Fields, name: string, { properties = {} }: Schema): boolean {
  const unknown = Object.keys(fields)
    .slice(0, MAX_COMPARED_KEYS)
    .filter((key) => !(key in properties))
  const [similar] = findSimilar(name, unknown)
  const example = similar === undefined ? exampleOf(properties[name] ?? {}, name) : fields[similar]
  if (example === undefined) return false
  if (similar !== undefined) delete fields[similar]
  fields[name] = example
  return true
}

function removeUnknown(fields: Fields, name: string, { properties = {} }: Schema): boolean {
  const similar = findMeantProperty(name, fields, properties)
  if (similar !== undefined) fields[similar] = fields[name]
  delete fields[name]
  return true
}

function correctValue(value: unknown, { keyword, params }: ErrorObject, owner: Schema, name: string): unknown {
  switch (keyword) {
    case 'enum':
      return nearestOf(value, params.allowedValues as unknown[])
    case 'const':
      return params.allowedValue
    case 'type':
      return toType(value, String(params.type)) ?? exampleOf(owner, name)
    case 'minimum':
    case 'maximum':
      return params.limit
    case 'maxLength':
      if (params.limit > MAX_SHORTENED_LENGTH) return exampleOf(owner, name)
      return typeof value === 'string' ? value.slice(0, params.limit) : undefined
    case 'maxItems':
      return Array.isArray(value) ? value.slice(0, params.limit) : undefined
    case 'minItems':
    case 'minLength':
      return exampleOf(owner, name)
    case 'uniqueItems':
      return Array.isArray(value) ? [...new Set(value)] : undefined
    case 'exclusiveMinimum':
      return params.limit + 1
    case 'pattern':
      return spellingsOf(value).find((text) => new RegExp(params.pattern, 'u').test(text)) ?? exampleOf(owner, name)
    case 'format':
      return toTime(value)
    default:
      return undefined
  }
}

const nearestOf = (value: unknown, allowed: readonly unknown[]): unknown =>
  typeof value === 'string' && allowed.every((one) => typeof one === 'string')
    ? rankSimilar(value, allowed as string[])[0]?.candidate
    : allowed[0]

function toType(value: unknown, type: string): unknown {
  if (type === 'array') return value === undefined ? undefined : [value]
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if ((type === 'number' || type === 'integer') && typeof value === 'string' && value.trim() !== '') {
    const number = Number(value)
    if (Number.isNaN(number)) return undefined
    return type === 'integer' ? Math.round(number) : number
  }
  if (type === 'integer' && typeof value === 'number') return Math.round(value)
  if (type === 'boolean' && typeof value === 'string') return /^(true|yes|1)$/i.test(value)
  return undefined
}

function toTime(value: unknown): string {
  const time = typeof value === 'string' ? parseTimestamp(value).getTime() : Number.NaN
  return Number.isNaN(time) ? EXAMPLE_TIME : new Date(time).toISOString()
}

/** What may have been meant by a text of another form: ` de-DE` by `de_DE`. */
function spellingsOf(value: unknown): string[] {
  const text = String(value).trim()
  return [text, text.replaceAll('-', '_'), text.toUpperCase(), text.toLowerCase()]
}

/** The field of a place: an element of a list has the name of its list. */
const nameOf = (last: string, parents: readonly string[]) => (/^\d+$/.test(last) ? (parents.at(-1) ?? last) : last)

/**
 * The simplest value of a schema: `<sku>` where only the caller knows one. Undefined for a form of which no example is
 * known.
 */
function exampleOf(schema: Schema, name: string): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.examples) return schema.examples[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, name)
  if (schema.type === 'boolean') return true
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 1
  if (schema.type === 'string') return exampleText(schema, name)
  if (schema.type === 'array') return exampleList(schema, name)
  if (schema.type !== 'object') return undefined
  const members = (schema.required ?? []).map((name) => [name, exampleOf(schema.properties?.[name] ?? {}, name)])
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members)
}

function exampleText({ format, pattern }: Schema, name: string): string | undefined {
  if (format === 'date-time') return EXAMPLE_TIME
  return pattern === undefined ? `<${name}>` : undefined
}

function exampleList({ items = {}, minItems = 0 }: Schema, name: string): unknown {
  const item = exampleOf(items, name)
  return minItems > 0 && item === undefined ? undefined : Array.from({ length: minItems }, () => item)
}

/** The schema whose keyword failed. */
export function failedSchemaOf(schema: object, { schemaPath }: ErrorObject): Schema {
  // A fragment of a URI, while paths of values are plain.
  const keys = pointerKeys(schemaPath.replace(/^#/, '')).map(decodeURIComponent).slice(0, -1)
  const found = memberAt(schema, keys)
  return isFields(found) ? (found as Schema) : {}
}

/** What a JSON pointer of the validator leads to. */
export const valueAtPointer = (value: unknown, pointer: string) => memberAt(value, pointerKeys(pointer))

const memberAt = (value: unknown, keys: readonly string[]) =>
  keys.reduce<unknown>((parent, key) => (isFields(parent) ? parent[key] : undefined), value)

const pointerKeys = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
