// The flat files know no quoting: a tab or a line break inside a value would begin another one.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
const BREAKS_A_LINE = /[\u0000-\u001F\u007F\u0085\u2028\u2029]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
const NEEDS_CARE = /[\u0000-\u001F\u007F\u0085\u2028\u2029]/

type Value = string | number | null | undefined

/** One line of a flat file, its end included. */
export function tsvLine(values: readonly Value[]): string {
  let line = ''
  for (let index = 0; index < values.length; index++) {
    if (index > 0) line += '\t'
    line += tsvValue(values[index])
  }
  return `${line}\n`
}

function tsvValue(value: Value): string | number {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return value
  return NEEDS_CARE.test(value) ? value.replace(BREAKS_A_LINE, ' ').trim() : value
}
