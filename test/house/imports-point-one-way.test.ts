import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { type SourceFile, sourceFiles, withoutComments } from './source-files.ts'

// Each may use its own layer and those below it.
const LAYERS = [
  ['cli', 'index.ts', 'openapi.ts'],
  ['service.ts', 'worker', 'adapters.ts'],
  ['areas', 'operator', 'dev'],
  ['marketplace'],
  ['http'],
  ['platform'],
]
const APART = ['areas', 'operator', 'dev']
// Settings and versions are read at the top and handed down as values.
const READERS: Record<string, string[]> = {
  config: ['cli', 'index.ts', 'openapi.ts', 'service.ts', 'worker', 'adapters.ts'],
  migrations: ['cli', 'service.ts'],
  'version.ts': ['cli', 'index.ts', 'openapi.ts', 'service.ts'],
}

interface Import {
  from: string
  /** A path from `src/`, or the name of a package. */
  to: string
  typeOnly: boolean
}

test('every import of src points from the entrances towards the platform', () => {
  const imports = sourceFiles().flatMap(importsOf)
  expect(imports.length).toBeGreaterThan(200)
  expect(imports.filter(isForbidden)).toEqual([])
})

test.each([
  ['platform/paging.ts', 'http/route.ts'],
  ['platform/clock/port.ts', 'marketplace/orders.ts'],
  ['http/app.ts', 'marketplace/orders.ts'],
  ['marketplace/orders.ts', 'areas/sellers/index.ts'],
  ['areas/sellers/store.ts', 'areas/tokens/schema.ts'],
  ['areas/sellers/index.ts', 'operator/facts.ts'],
  ['operator/facts.ts', 'dev/settings.ts'],
  ['dev/index.ts', 'areas/tokens/index.ts'],
  ['areas/tokens/operations.ts', 'http/route.ts'],
  ['areas/tokens/operations.ts', 'fastify'],
  ['service.ts', 'index.ts'],
  ['dev/index.ts', 'service.ts'],
  ['http/app.ts', 'config/config.ts'],
  ['dev/index.ts', 'migrations/index.ts'],
  ['index.ts', 'migrations/index.ts'],
  ['http/docs.ts', 'version.ts'],
  ['config/config.ts', 'http/quotas.ts'],
  ['migrations/index.ts', 'marketplace/tables.ts'],
  ['elsewhere/file.ts', 'platform/paging.ts'],
])('%s may not import %s', (from, to) => {
  expect(isForbidden({ from, to, typeOnly: false })).toBe(true)
})

test('the import statements of a file are all seen, and whether they are for types alone', () => {
  const text = `
    import { posix } from 'node:path'
    import type { A } from '../../platform/a.ts'
    import {
      type B,
      type C,
    } from './b.ts'
    import { type D, e } from './d.ts'
    import './f.ts'
    export { g } from './g.ts'
    export * from './h.ts'
    // import { i } from './i.ts'
    const { j } = await import('./j.ts')`
  expect(importsOf({ path: 'areas/x/file.ts', text }).map(({ to, typeOnly }) => [to, typeOnly])).toEqual([
    ['node:path', false],
    ['platform/a.ts', true],
    ['areas/x/b.ts', true],
    ['areas/x/d.ts', false],
    ['areas/x/f.ts', false],
    ['areas/x/g.ts', false],
    ['areas/x/h.ts', false],
    ['areas/x/j.ts', false],
  ])
})

function importsOf({ path, text }: SourceFile): Import[] {
  const statement = /\b(?:(?:import|export)\s+([\w\s{},*]*?)\s*from\s*|import\s*\(?\s*)'([^']+)'/g
  return [...withoutComments(text).matchAll(statement)].map(([, names = '', target = '']) => ({
    from: path,
    to: target.startsWith('.') ? posix.join(posix.dirname(path), target) : target,
    typeOnly: /^type\b/.test(names) || /^\{(\s*type\s[^,}]+,?)+\s*\}$/.test(names),
  }))
}

function isForbidden({ from, to, typeOnly }: Import): boolean {
  const source = partOf(from)
  const target = partOf(to)
  const isPackage = !to.endsWith('.ts')
  if (source === 'areas' && !from.endsWith('/routes.ts')) {
    if (target === 'http' || to === 'fastify' || to.startsWith('@fastify/')) return true
  }
  if (isPackage) return false
  if (source === target) return source === 'areas' && areaOf(from) !== areaOf(to)
  if (target in READERS) return !READERS[target]?.includes(source)
  if (source === 'config') return target !== 'platform' && !typeOnly
  if (source === 'migrations') return target !== 'platform'
  if (APART.includes(source) && APART.includes(target)) return true
  const [above, below] = [layerOf(source), layerOf(target)]
  return above === -1 || below === -1 || above > below
}

const partOf = (path: string) => path.split('/')[0] as string
const areaOf = (path: string) => path.split('/')[1] as string
const layerOf = (part: string) => LAYERS.findIndex((layer) => layer.includes(part))
