import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'

const MOST_LINES = 300

test(`no file of src is longer than ${MOST_LINES} lines: one that is wants to be a folder`, () => {
  const lengths = sourceFiles().map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
  expect(lengths.length).toBeGreaterThan(50)
  expect(lengths.filter(({ lines }) => lines > MOST_LINES)).toEqual([])
})
