import { expect, test } from 'vitest'
import { cpuMicrosecondsOf } from '../../../../test/support/cpu-time.ts'
import { joinAttributesJson } from './join-attributes.ts'

const join = (...listings: Record<string, unknown[]>[]) =>
  JSON.parse(joinAttributesJson(listings.map((listing) => JSON.stringify(listing))))

test('an attribute has the entries of all listings, in their order', () => {
  expect(join({ brand: [1], size: [2] }, { size: [3, 4], color: [5] }, { brand: [6] })).toEqual({
    brand: [1, 6],
    size: [2, 3, 4],
    color: [5],
  })
})

test('listings without attributes, and attributes without entries, add nothing', () => {
  expect(join()).toEqual({})
  expect(join({}, { size: [] }, { size: [1] }, {})).toEqual({ size: [1] })
  expect(join({ size: [] }, { size: [] })).toEqual({ size: [] })
})

test('brackets, quotes and backslashes in names and texts end nothing', () => {
  const odd = { '"]\\': [{ a: '],["\\', '[': [[']'], [{}], '\\"'] }], 'b":[': ['"', '\\', ']}'] }
  expect(join(odd, odd)).toEqual({
    '"]\\': [...odd['"]\\'], ...odd['"]\\']],
    'b":[': [...odd['b":['], ...odd['b":[']],
  })
})

test('what was cut off has an end', () => {
  const text = JSON.stringify({ size: ['[', { a: '"' }], color: [1] })
  for (let length = 0; length < text.length; length++) joinAttributesJson([text.slice(0, length)])
})

test('many small objects take a fraction of the time in which they are parsed', () => {
  const listings = Array(4).fill(JSON.stringify({ size: Array(100_000).fill({}) }))
  const rounds = [0, 1, 2, 3, 4].map(
    () =>
      [
        cpuMicrosecondsOf(() => joinAttributesJson(listings)),
        cpuMicrosecondsOf(() => listings.map((text) => JSON.parse(text))),
      ] as const,
  )
  const [joined, parsed] = [0, 1].map((at) => Math.min(...rounds.map((round) => round[at] as number)))
  expect(joined).toBeLessThan((parsed as number) / 2)
})
