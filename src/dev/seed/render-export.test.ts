import { expect, test } from 'vitest'
import type { ExportPart } from './export-seed.ts'
import { renderExport } from './render-export.ts'

async function* exported(...parts: ExportPart[]): AsyncGenerator<ExportPart> {
  yield* parts
}
const PARTS: ExportPart[] = [
  { fields: { version: 1, clock: { time: '2026-06-01T12:00:00Z' } } },
  { section: 'sellers', items: [{ sellerId: 'A' }, { sellerId: 'B' }] },
  { section: 'orders', items: [{ orderId: '1' }] },
  { section: 'orders', items: [{ orderId: '2' }] },
]

test('an export as JSON has the fields and the items of all parts', async () => {
  expect(JSON.parse(await renderExport(exported(...PARTS), 'json', ''))).toEqual({
    version: 1,
    clock: { time: '2026-06-01T12:00:00Z' },
    sellers: [{ sellerId: 'A' }, { sellerId: 'B' }],
    orders: [{ orderId: '1' }, { orderId: '2' }],
  })
})

test.each(['json', 'yaml'] as const)('an export as %s that an import would refuse is refused', async (format) => {
  const items = Array.from({ length: 50_001 }, () => ({}))
  const section = 'orders'
  const many = Array.from({ length: 4 }, () => ({ section, items }) as const)
  await expect(renderExport(exported(...many), format, '')).rejects.toMatchObject({
    status: 400,
    details: 'An import takes 200000 orders at most. A snapshot, which needs SQLite, has no limit.',
  })
  const bytes = 1024 * 1024
  const long = { section, items: [{ text: 'ä'.repeat(bytes / 2) }] } as const
  await expect(renderExport(exported(long), format, '', bytes)).rejects.toMatchObject({
    status: 400,
    details: 'An import takes 1 MiB at most. A snapshot, which needs SQLite, has no limit.',
  })
})
