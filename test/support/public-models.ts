import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect } from 'vitest'
import { modelsBesideCheckout } from '../models/model.ts'
import { formats } from '../models/violations.ts'

export const modelsArePresent = existsSync(modelsBesideCheckout)
if (!modelsArePresent) console.warn('skipped: conformance with the public models, which are not beside this checkout')

export const readModel = (file: string) => JSON.parse(readFileSync(join(modelsBesideCheckout, file), 'utf8'))

/** Checks a response against a definition of a public Swagger 2.0 model. */
export function conformsTo(file: string, definition: string, response: unknown): void {
  const ajv = new Ajv({ strict: false, formats })
  const schema = { definitions: readModel(file).definitions, $ref: `#/definitions/${definition}` }
  expect(ajv.validate(schema, response), ajv.errorsText()).toBe(true)
}
