import type { ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { MAX_VIOLATIONS, type Violation } from '../platform/errors/api-error.ts'
import { describeReason } from '../platform/violation-reason.ts'
import { formatFieldPath } from './field-path.ts'
import { describeUnknown } from './unknown-field.ts'

/** The parts of a schema that lead to those of a value. */
interface SchemaParts {
  type?: string
  properties?: Record<string, TSchema>
  /** Of records: the members whose names match. */
  patternProperties?: Record<string, TSchema>
  maxProperties?: number
  required?: readonly string[]
  additionalProperties?: unknown
  items?: TSchema
  minItems?: number
  maxItems?: number
  anyOf?: readonly TSchema[]
}

/** Compiles a schema, stopping at the first error. */
type Compile = (schema: TSchema) => ValidateFunction

/**
 * Lists what is wrong with a value: at most a hundred violations, one for each place. A list that is too long is one
 * violation and is not searched. The validator itself would collect an error for each of millions of values.
 */
export function createViolationList(compile: Compile) {
  const compiled = new WeakMap<TSchema, ValidateFunction>()
  const validatorOf = (schema: TSchema) => {
    const validate = compiled.get(schema) ?? compile(schema)
    compiled.set(schema, validate)
    return validate
  }

  return (schema: TSchema, value: unknown): Violation[] => {
    const found: Violation[] = []
    visit(schema, value, [])
    return found

    function visit(schema: TSchema, value: unknown, path: readonly string[]): void {
      if (found.length >= MAX_VIOLATIONS) return
      const validate = validatorOf(schema)
      if (validate(value)) return
      const before = found.length
      const parts = schema as SchemaParts
      if (parts.anyOf) visitChoice(parts.anyOf, value, path)
      else if (hasMembers(parts, value)) visitMembers(parts, value, path)
      else if (parts.items && Array.isArray(value) && hasLength(parts, value)) visitItems(parts.items, value, path)
      if (found.length === before) add(path, describeReason(validate.errors?.[0]))
    }

    function visitMembers(parts: SchemaParts, value: Record<string, unknown>, path: readonly string[]): void {
      const { properties = {}, required = [] } = parts
      for (const name of required) {
        if (value[name] === undefined) add([...path, name], 'is required')
      }
      for (const name in value) {
        if (found.length >= MAX_VIOLATIONS) return
        const property = Object.hasOwn(properties, name) ? properties[name] : patternOf(parts, name)
        if (property && value[name] !== undefined) visit(property, value[name], [...path, name])
        else if (!property && parts.additionalProperties === false)
          add([...path, name], describeUnknown(name, value, properties))
      }
    }

    function visitItems(items: TSchema, value: readonly unknown[], path: readonly string[]): void {
      for (const [index, item] of value.entries()) {
        if (found.length >= MAX_VIOLATIONS) return
        visit(items, item, [...path, String(index)])
      }
    }

    /** The useful violations are those of the schema for this type of value, or of the only one besides null. */
    function visitChoice(choices: readonly TSchema[], value: unknown, path: readonly string[]): void {
      const possible = choices.filter((choice) => (choice as SchemaParts).type !== 'null')
      const ofType = possible.filter((choice) => (choice as SchemaParts).type === typeOf(value))
      const [only, ...others] = ofType.length > 0 ? ofType : possible
      if (only && others.length === 0) visit(only, value, path)
    }

    function add(path: readonly string[], reason: string): void {
      if (found.length < MAX_VIOLATIONS) found.push({ path: formatFieldPath(path), reason })
    }
  }
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether the value is an object as small as the schema allows. */
const hasMembers = (parts: SchemaParts, value: unknown): value is Record<string, unknown> =>
  (parts.properties !== undefined || parts.patternProperties !== undefined) &&
  isObject(value) &&
  Object.keys(value).length <= (parts.maxProperties ?? Number.POSITIVE_INFINITY)

function patternOf({ patternProperties = {} }: SchemaParts, name: string): TSchema | undefined {
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1]
}

const hasLength = ({ minItems = 0, maxItems = Number.POSITIVE_INFINITY }: SchemaParts, list: readonly unknown[]) =>
  list.length >= minItems && list.length <= maxItems
