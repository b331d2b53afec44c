/** A value for people: fields as lines, lists of objects as tables, with the given columns if there are any. */
export function renderText(value: unknown, columns?: readonly string[]): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.replace(/\n$/, '')
  if (Array.isArray(value)) return renderList(value, columns)
  if (typeof value !== 'object') return String(value)
  const { list, rest } = splitPage(value)
  if (!list) return renderFields(value)
  return [renderList(list, columns), renderFields(rest)].filter((text) => text !== '').join('\n\n')
}

/** `{ "requests": [...], "nextCursor": "..." }` is a list, and what belongs to it. */
function splitPage(value: object): { list?: readonly unknown[]; rest: object } {
  const entries = Object.entries(value)
  const rest = entries.filter(([, one]) => typeof one !== 'object')
  const [list] = entries.flatMap(([, one]) => (Array.isArray(one) ? [one] : []))
  return list && rest.length === entries.length - 1 ? { list, rest: Object.fromEntries(rest) } : { rest: value }
}

function renderList(list: readonly unknown[], columns: readonly string[] | undefined): string {
  if (list.length === 0) return '(none)'
  if (!list.every((one) => typeof one === 'object' && one !== null)) return list.map(renderValue).join('\n')
  const names = columns ?? [...new Set(list.flatMap((one) => Object.keys(one as object)))]
  const rows = list.map((one) => names.map((name) => renderValue((one as Record<string, unknown>)[name])))
  return alignColumns([[...names], ...rows])
}

function renderFields(value: object): string {
  return alignColumns(Object.entries(value).map(([name, one]) => [name, renderValue(one)]))
}

/** One line, for an item of a list that grows. */
export function renderLine(value: object, columns: readonly string[]): string {
  return columns.map((name) => renderValue((value as Record<string, unknown>)[name])).join('  ')
}

function renderValue(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

function alignColumns(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
