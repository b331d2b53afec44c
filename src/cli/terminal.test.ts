import { expect, test } from 'vitest'
import { isInForeground } from './terminal.ts'

test.each([
  ['in the foreground', '30 (node) R 1 30 30 34816 30 4194304 101', true],
  ['in the background', '30 (node) R 1 30 30 34816 44 4194304 101', false],
  ['without a terminal', '30 (node) R 1 30 30 0 -1 4194304 101', false],
  ['with an odd name', '30 (a) R 1 (2) S 1 30 30 34816 30 4194304 101', true],
])('a process %s is recognized as such', (_what, stat, expected) => {
  expect(isInForeground(stat)).toBe(expected)
})
