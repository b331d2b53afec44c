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
