// Flat files have no quoting: a tab or a line break in a value would start another value.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
const CONTROL_CHARACTERS = /[\u0000-\u001F\u007F\u0085\u2028\u2029]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
const NEEDS_CARE = /[\u0000-\u001F\u007F\u0085\u2028\u2029]/

type Value = string | number | null | undefined

/** Returns a line of a flat file with its line end. Joined, because V8 represents a sum as a chain of sixty strings. */
export const tsvLine = (values: readonly Value[]) => `${values.map(replaceLineBreaks).join('\t')}\n`

const replaceLineBreaks = (value: Value) =>
  typeof value === 'string' && NEEDS_CARE.test(value) ? value.replace(CONTROL_CHARACTERS, ' ').trim() : value
