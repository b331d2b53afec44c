import { expect, test } from 'vitest'
import { isTrimmedWith } from './history.ts'

const key = { sellerId: 'A1', marketplaceId: 'ATVPDKIKX0DER' }
const trimmedShare = (changes: readonly (readonly [sku: string, time: number])[]) =>
  changes.filter(([sku, time]) => isTrimmedWith({ ...key, sku }, new Date(time).toISOString())).length / changes.length

test.each([
  ['one listing every minute', (index: number) => ['SKU', index * 60_000] as const],
  ['one listing once an hour', (index: number) => ['SKU', index * 3_600_000] as const],
  ['one listing every millisecond', (index: number) => ['SKU', index] as const],
  ['many listings at one time', (index: number) => [`SKU-${index}`, 0] as const],
])('about one of 50 changes deletes earlier ones: %s', (_, changeOf) => {
  const share = trimmedShare(Array.from({ length: 10_000 }, (_, index) => changeOf(index)))
  expect(share).toBeGreaterThan(0.015)
  expect(share).toBeLessThan(0.025)
})
