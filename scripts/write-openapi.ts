// Writes openapi/openapi.json from the routes. A test fails when the two differ.
import { writeFileSync } from 'node:fs'
import { openApiDocument } from '../src/cli/openapi-document.ts'

writeFileSync(new URL('../openapi/openapi.json', import.meta.url), await openApiDocument())
