import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../src/cli/openapi-document.ts'
import { readOpenApiDocument } from './openapi-document.ts'

test.each([
  ['openapi.json', 'api'],
  ['control-plane.json', 'controlPlane'],
] as const)('openapi/%s matches the routes', async (name, of) => {
  const committed = readFileSync(new URL(`../../openapi/${name}`, import.meta.url), 'utf8')
  expect(committed === (await openApiDocument(of)), 'It differs from the routes: run `npm run openapi`.').toBe(true)
})

describe('the OpenAPI document', () => {
  test('has version 3.1 and is not empty', async () => {
    const { openapi, info, paths } = await readOpenApiDocument()
    expect(openapi).toMatch(/^3\.1\.\d+$/)
    expect(info).toMatchObject({ title: 'Souk', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    expect(Object.keys(paths)).toContain('/sellers/v1/account')
    expect(Object.keys(paths).filter((path) => !path.startsWith('/'))).toEqual([])
  })

  test('leaves the control plane to its own document', async () => {
    const isControl = (path: string) => path.startsWith('/_souk/')
    const { openapi, info, paths } = await readOpenApiDocument('controlPlane')
    expect({ openapi, info }).toMatchObject({ openapi: '3.1.0', info: { title: 'Souk control plane' } })
    expect(Object.keys(paths)).toContain('/_souk/clock')
    expect(Object.keys(paths).filter((path) => !isControl(path))).toEqual([])
    expect(Object.keys((await readOpenApiDocument()).paths).filter(isControl)).toEqual([])
  })

  test.each(['api', 'controlPlane'] as const)('has no dangling references: %s', async (of) => {
    const document = await readOpenApiDocument(of)
    expect(referencesIn(document).filter((reference) => resolve(document, reference) === undefined)).toEqual([])
  })

  // The service itself does not check them, which would take a tenth of its start.
  test.each(['api', 'controlPlane'] as const)('has valid schemas of parameters and bodies: %s', async (of) => {
    const { paths } = await readOpenApiDocument(of)
    const schemas = schemasIn(paths)
    expect(schemas.length).toBeGreaterThan(50)
    const ajv = new Ajv({ strict: false, logger: false })
    expect(schemas.filter((schema) => !ajv.validateSchema(schema))).toEqual([])
  })

  test('does not require a body where none is needed', async () => {
    const { paths } = await readOpenApiDocument('controlPlane')
    const bodies = ['/_souk/reset', '/_souk/forks', '/_souk/life', '/_souk/import', '/_souk/faults'].map(
      (path) => (paths[path]?.post as { requestBody?: { required?: boolean } } | undefined)?.requestBody?.required,
    )
    expect(bodies).toEqual([false, false, false, true, true])
  })

  test('uses only declared security schemes', async () => {
    const document = await readOpenApiDocument()
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    const named = new Set(operations.flatMap(({ security = [] }) => security.flatMap((one) => Object.keys(one))))
    expect([...named].sort()).toEqual(['accessToken', 'operatorKey'])
    for (const name of named) expect(resolve(document, `#/components/securitySchemes/${name}`)).toBeDefined()
  })
})

test('a dangling reference is found', () => {
  const document = { a: { $ref: '#/b/c~1d' }, e: [{ $ref: '#/b/none' }], b: { 'c/d': {} } }
  const broken = referencesIn(document).filter((reference) => resolve(document, reference) === undefined)
  expect(broken).toEqual(['#/b/none'])
})

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child] : referencesIn(child),
  )
}

function resolve(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  const segments = reference.slice(2).split('/')
  return segments
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
}

/** What stands below a key `schema`, at any depth. */
function schemasIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => (key === 'schema' ? [child as object] : schemasIn(child)))
}
