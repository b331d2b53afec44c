import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'

const MAX_LINES = 300

test(`no file of src is longer than ${MAX_LINES} lines: split longer files into a folder`, () => {
  const lengths = sourceFiles().map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
  expect(lengths.length).toBeGreaterThan(50)
  expect(lengths.filter(({ lines }) => lines > MAX_LINES)).toEqual([])
})
