import { expect, test } from 'vitest'
import { RandomIds } from './random-ids.ts'

test('ASINs that are made one after the other are distinct, and almost all are adjacent', () => {
  const ids = new RandomIds()
  const asins = Array.from({ length: 100_000 }, () => ids.next('asin'))
  expect(asins.every((asin) => /^B0[0-9A-Z]{8}$/.test(asin))).toBe(true)
  expect(new Set(asins).size).toBe(asins.length)
  const numbers = asins.map((asin) => Number.parseInt(asin.slice(2), 36))
  const jumps = numbers.filter((number, index) => index > 0 && number !== (numbers[index - 1] as number) + 1)
  expect(jumps.length).toBeGreaterThan(0)
  expect(jumps.length).toBeLessThan(5)
})
