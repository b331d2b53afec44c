import { mkdirSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

const FOLDER = new URL('../src/api/generated/', import.meta.url)

/** Writes the types of requests and responses from the OpenAPI documents of the service. */
export async function writeApiTypes(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  for (const [document, file] of [
    ['openapi.json', 'service.d.ts'],
    ['control-plane.json', 'control-plane.d.ts'],
  ] as const) {
    const syntaxTree = await openapiTS(new URL(`../../openapi/${document}`, import.meta.url))
    writeFileSync(new URL(file, FOLDER), astToString(syntaxTree))
  }
}

if (import.meta.main) await writeApiTypes()
