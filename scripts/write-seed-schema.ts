// Writes schema/marketplace.json, the JSON Schema of seed files. A test fails when it is not current.
import { mkdirSync, writeFileSync } from 'node:fs'
import { seedSchemaText } from '../src/dev/seed/schema.ts'

const folder = new URL('../schema/', import.meta.url)
mkdirSync(folder, { recursive: true })
writeFileSync(new URL('marketplace.json', folder), seedSchemaText())
