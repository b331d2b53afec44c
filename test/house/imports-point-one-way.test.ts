import { expect, test } from 'vitest'
import { type Import, importsOf, sourceFiles } from './source-files.ts'

// A layer may import itself and the layers below it.
const LAYERS = [
  ['cli', 'grade', 'index.ts', 'stand-in', 'public-types.ts', 'redirect', 'vitest'],
  ['worker'],
  ['composition'],
  ['areas', 'operator', 'console', 'dev'],
  ['acts'],
  ['document-requests'],
  ['marketplace', 'http'],
  ['platform'],
]
// Siblings: members of a group may not import each other.
const APART = [
  ['areas', 'operator', 'console', 'dev'],
  ['marketplace', 'http'],
]
// Each of these knows an area by its index.ts only.
const ENTRANCES = ['cli', 'index.ts', 'stand-in', 'worker', 'composition', 'config']
// The redirect is loaded into other programs, so it must be small; importing it changes the process.
const REDIRECT_IMPORTS = /^(redirect\/|platform\/vendor-hosts\.ts$)/
// Settings are read at the top and handed down as values.
const READERS: Record<string, string[]> = {
  config: ['cli', 'index.ts', 'stand-in', 'composition', 'worker'],
  migrations: ['cli', 'composition'],
}

test('every import of src points from the entrances towards the platform', () => {
  const imports = sourceFiles().flatMap(importsOf)
  expect(imports.length).toBeGreaterThan(200)
  expect(imports.filter(isForbidden)).toEqual([])
})

test.each([
  ['platform/paging.ts', 'http/route.ts'],
  ['platform/clock/port.ts', 'marketplace/trade/orders.ts'],
  ['http/edge.ts', 'marketplace/trade/orders.ts'],
  ['marketplace/trade/orders.ts', 'http/route.ts'],
  ['marketplace/trade/orders.ts', 'areas/sellers/index.ts'],
  ['marketplace/money.ts', 'document-requests/status.ts'],
  ['document-requests/status.ts', 'areas/feeds/feed.ts'],
  ['areas/sellers/operations.ts', 'areas/tokens/schema.ts'],
  ['areas/sellers/index.ts', 'operator/index.ts'],
  ['operator/index.ts', 'dev/index.ts'],
  ['console/index.ts', 'operator/index.ts'],
  ['dev/index.ts', 'console/index.ts'],
  ['dev/index.ts', 'areas/tokens/index.ts'],
  ['acts/buyer.ts', 'areas/listings/index.ts'],
  ['acts/buyer.ts', 'operator/checks.ts'],
  ['areas/tokens/operations.ts', 'http/route.ts'],
  ['areas/tokens/operations.ts', 'fastify'],
  ['composition/service.ts', 'index.ts'],
  ['composition/service.ts', 'worker/thread.ts'],
  ['dev/index.ts', 'composition/service.ts'],
  ['http/edge.ts', 'config/config.ts'],
  ['dev/index.ts', 'migrations/index.ts'],
  ['stand-in/stand-in.ts', 'migrations/index.ts'],
  ['http/docs.ts', 'composition/version.ts'],
  ['config/config.ts', 'http/edge.ts'],
  ['migrations/index.ts', 'marketplace/trade/tables.ts'],
  ['composition/areas.ts', 'areas/feeds/feed.ts'],
  ['worker/thread.ts', 'areas/notifications/fan-out/lease.ts'],
  ['stand-in/stand-in.ts', 'areas/listings/store/listing-store.ts'],
  ['redirect/index.ts', 'http/edge.ts'],
  ['cli/run.ts', 'redirect/index.ts'],
  ['elsewhere/file.ts', 'platform/paging.ts'],
])('%s may not import %s', (from, to) => {
  expect(isForbidden({ from, to, typeOnly: false })).toBe(true)
})

test('all import statements of a file are found, with whether they are type-only', () => {
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

function isForbidden({ from, to, typeOnly }: Import): boolean {
  const source = partOf(from)
  const target = partOf(to)
  if (target === 'areas' && ENTRANCES.includes(source) && !/^areas\/\w+\/index\.ts$/.test(to)) return true
  const isPackage = !to.endsWith('.ts')
  if (source === 'areas' && !from.endsWith('/routes.ts')) {
    if (target === 'http' || to === 'fastify' || to.startsWith('@fastify/')) return true
  }
  if (isPackage) return source === 'redirect' && !to.startsWith('node:')
  if (source === 'redirect') return !REDIRECT_IMPORTS.test(to)
  if (target === 'redirect') return true
  if (source === target) return source === 'areas' && areaOf(from) !== areaOf(to)
  if (target in READERS) return !READERS[target]?.includes(source)
  if (source === 'config') return target !== 'platform' && !typeOnly
  if (source === 'migrations') return target !== 'platform'
  if (APART.some((group) => group.includes(source) && group.includes(target))) return true
  const [above, below] = [layerOf(source), layerOf(target)]
  return above === -1 || below === -1 || above > below
}

const partOf = (path: string) => path.split('/')[0] as string
const areaOf = (path: string) => path.split('/')[1] as string
const layerOf = (part: string) => LAYERS.findIndex((layer) => layer.includes(part))
