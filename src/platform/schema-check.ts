import { Ajv, type Options, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { isTimestamp } from './timestamps.ts'

/** What the formats of schemas mean. */
export const formats = { 'date-time': isTimestamp }

/**
 * For validators of our own schemas. A test checks that the schemas are valid; with the first schema, the validator would
 * compile the schema of schemas for that, which takes three times as long as all else.
 */
export const schemaOptions = { strict: false, meta: false, validateSchema: false, formats } satisfies Options

let ajv: Ajv | undefined

/** Checks values that do not come as the body or query of a request. Compiles the schema with the first value. */
export function createSchemaCheck(schema: TSchema): (value: unknown) => boolean {
  let validate: ValidateFunction | undefined
  return (value) => {
    ajv ??= new Ajv(schemaOptions)
    validate ??= ajv.compile(schema)
    return validate(value)
  }
}
