import type { Ajv, ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

/**
 * Returns a function that compiles equal schemas once. Each marketplace of a process has its own copies of some schemas, and
 * the validator never forgets a schema.
 */
export function compileOnce(validator: Pick<Ajv, 'compile'>): (schema: TSchema) => ValidateFunction {
  const compiled = new Map<string, ValidateFunction>()
  return (schema) => {
    const text = JSON.stringify(schema)
    const validate = compiled.get(text) ?? validator.compile(schema)
    compiled.set(text, validate)
    return validate
  }
}
