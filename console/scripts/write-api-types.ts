import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

const FOLDER = new URL('../src/api/generated/', import.meta.url)
const documentUrl = (name: string) => new URL(`../../openapi/${name}`, import.meta.url)

/** Writes the types of requests and responses, and the names of operations, from the OpenAPI documents of the service. */
export async function writeApiTypes(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  for (const [document, file] of [
    ['openapi.json', 'service.d.ts'],
    ['control-plane.json', 'control-plane.d.ts'],
  ] as const) {
    const syntaxTree = await openapiTS(documentUrl(document))
    writeFileSync(new URL(file, FOLDER), astToString(syntaxTree))
  }
  const names = JSON.stringify(operationNames(), null, 2)
  writeFileSync(new URL('operation-names.ts', FOLDER), `export const OPERATION_NAMES: readonly string[] = ${names}\n`)
}

/** Those that clients of sellers call. */
function operationNames(): string[] {
  const { paths }: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
    readFileSync(documentUrl('openapi.json'), 'utf8'),
  )
  return Object.entries(paths)
    .filter(([path]) => !/^\/(operator|console|healthz|readyz|metrics)/.test(path))
    .flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId))
    .sort()
}

if (import.meta.main) await writeApiTypes()
