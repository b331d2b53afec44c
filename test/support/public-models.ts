import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect } from 'vitest'

// The public models are not part of the project; they may lie next to a checkout.
const models = new URL('../../../shared/models/', import.meta.url)
export const modelsArePresent = existsSync(models)
if (!modelsArePresent) console.warn('skipped: conformance with the public models, which are not beside this checkout')

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

// The formats of numbers limit their size, which JSON does not.
const formats = { 'date-time': RFC_3339, int32: true, int64: true, double: true } as const

export const readModel = (file: string) => JSON.parse(readFileSync(new URL(file, models), 'utf8'))

/** Checks a response against a definition of a public Swagger 2.0 model. */
export function conformsTo(file: string, definition: string, response: unknown): void {
  const ajv = new Ajv({ strict: false, formats })
  const schema = { definitions: readModel(file).definitions, $ref: `#/definitions/${definition}` }
  expect(ajv.validate(schema, response), ajv.errorsText()).toBe(true)
}
