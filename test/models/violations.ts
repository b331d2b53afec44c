import { Ajv, type ValidateFunction } from 'ajv'
import { type ModelOperation, resolve, type Schema } from './model.ts'

const DATE = /^\d{4}-\d\d-\d\d$/
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** The formats of the models. Those of numbers limit their size, which JSON does not. */
export const formats = { date: DATE, 'date-time': RFC_3339, int32: true, int64: true, double: true, uri: true } as const

const ajv = new Ajv({ strict: false, allErrors: true, formats })
const compiled = new WeakMap<Schema, ValidateFunction>()

/** Why a value does not satisfy a schema of the model; empty if it does. */
export function listViolations({ definitions }: ModelOperation, schema: Schema, value: unknown): string[] {
  let validate = compiled.get(schema)
  if (!validate) {
    validate = ajv.compile({ definitions, ...schema })
    compiled.set(schema, validate)
  }
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`)
}

/** Keys of a response that the model does not name. Its schemas allow any, but clients made from it drop them. */
export function listUndocumentedKeys(
  { definitions }: ModelOperation,
  given: Schema,
  value: unknown,
  place = '',
): string[] {
  const schema = resolve(given, definitions)
  const visit = (one: Schema, inner: unknown, at: string): string[] =>
    listUndocumentedKeys({ definitions } as ModelOperation, one, inner, at)
  if (Array.isArray(value)) return value.flatMap((item) => visit(schema.items ?? {}, item, `${place}[]`))
  if (typeof value !== 'object' || value === null || !schema.properties) return []
  const { properties, additionalProperties } = schema
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = place === '' ? key : `${place}.${key}`
    const known = properties[key]
    if (known) return visit(known, inner, at)
    return additionalProperties ? [] : [at]
  })
}
