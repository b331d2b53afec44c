import { expect, test } from 'vitest'
import { tsvLine } from './tsv.ts'

test('a line has its values between tabs and ends with a line feed', () => {
  expect(tsvLine(['a', 1, 'b'])).toBe('a\t1\tb\n')
})

test.each<[string, Parameters<typeof tsvLine>[0], string]>([
  ['missing values are empty', [null, 'a', undefined], '\ta\t\n'],
  ['zero is a value', [0, -1, 1.5], '0\t-1\t1.5\n'],
  ['one value has no tab', ['alone'], 'alone\n'],
  ['no values are an empty line', [], '\n'],
  ['quotes and separators of other formats stay as they are', ['5" pipe, "new"; \\'], '5" pipe, "new"; \\\n'],
  ['letters of all languages stay as they are', ['Schöne Grüße, 靴 👟'], 'Schöne Grüße, 靴 👟\n'],
  ['leading and trailing spaces are kept if nothing is replaced', [' a '], ' a \n'],
])('%s', (_what, values, line) => {
  expect(tsvLine(values)).toBe(line)
})

test.each([
  ['a tab', 'left\tright'],
  ['a line feed', 'left\nright'],
  ['a line break of Windows', 'left\r\nright'],
  ['a NUL', 'left\0right'],
  ['a delete character', 'left\u007fright'],
  ['the next-line character', 'left\u0085right'],
  ['a line separator', 'left\u2028right'],
  ['a paragraph separator', 'left\u2029right'],
  ['a whole row of them', 'left\t\t\r\n\u2028right'],
])('%s inside a value becomes one space, so that it starts neither a value nor a line', (_what, value) => {
  expect(tsvLine([value, value])).toBe('left right\tleft right\n')
})

test('a line break at the end of a value leaves no trailing space', () => {
  expect(tsvLine(['\tvalue\n'])).toBe('value\n')
})

test('every value is checked independently of the previous one', () => {
  expect(tsvLine(['a\tb', 'c\td', 'e\tf'])).toBe('a b\tc d\te f\n')
})
