import { expect, test } from 'vitest'
import { joinText } from './json-text.ts'

test.each([
  ['few short parts', 3],
  ['so many parts that they are bytes', 30_000],
])('%s are joined into one text, whatever their characters', (_, count) => {
  const parts = ['[', ...Array.from({ length: count }, (_, index) => `"${index} é 店 🛒",`), '0]']
  const text = joinText(parts)
  expect(String(text)).toBe(parts.join(''))
  expect(typeof text === 'string').toBe(count === 3)
})

const ascii = 'x'.repeat(40_000)
const wide = '店'.repeat(40_000)

test.each([
  ['ends with', [ascii, wide, '"']],
  ['begins with', [wide, ascii, '"']],
  ['consists of', [wide, wide, wide]],
])('a large text that %s characters of several bytes is complete', (_, parts) => {
  expect(String(joinText(parts)) === parts.join('')).toBe(true)
})
