import { Ajv, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { isTimestamp } from './timestamps.ts'

/** What the formats of schemas mean. */
export const formats = { 'date-time': isTimestamp }

let ajv: Ajv | undefined

/** Checks values that do not come as the body or query of a request. Compiles the schema with the first value. */
export function createSchemaCheck(schema: TSchema): (value: unknown) => boolean {
  let validate: ValidateFunction | undefined
  return (value) => {
    ajv ??= new Ajv({ strict: false, formats })
    validate ??= ajv.compile(schema)
    return validate(value)
  }
}
