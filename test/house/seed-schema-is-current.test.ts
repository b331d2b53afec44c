import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { seedSchemaText } from '../../src/dev/seed/schema.ts'

test('schema/marketplace.json is the schema by which seed files are checked', () => {
  const written = readFileSync(new URL('../../schema/marketplace.json', import.meta.url), 'utf8')
  expect(written, 'run npm run seed-schema').toBe(seedSchemaText())
})
