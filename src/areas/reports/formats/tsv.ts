// The flat files know no quoting: a tab or a line break inside a value would begin another one.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
const CONTROL_CHARACTERS = /[\u0000-\u001F\u007F\u0085\u2028\u2029]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
const NEEDS_CARE = /[\u0000-\u001F\u007F\u0085\u2028\u2029]/

type Value = string | number | null | undefined

/** One line of a flat file, its end included. Joined: added up, it would be a chain of sixty strings to the engine. */
export const tsvLine = (values: readonly Value[]) => `${values.map(replaceLineBreaks).join('\t')}\n`

const replaceLineBreaks = (value: Value) =>
  typeof value === 'string' && NEEDS_CARE.test(value) ? value.replace(CONTROL_CHARACTERS, ' ').trim() : value
