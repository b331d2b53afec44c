// Writes the documents of openapi/ from the routes. A test fails when they differ.
import { writeFileSync } from 'node:fs'
import { openApiDocument } from '../src/cli/openapi-document.ts'

const write = (name: string, text: string) => writeFileSync(new URL(`../openapi/${name}`, import.meta.url), text)

write('openapi.json', await openApiDocument())
write('control-plane.json', await openApiDocument('controlPlane'))
