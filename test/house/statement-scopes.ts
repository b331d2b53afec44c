/** A select, or a write, of a statement, without those nested in it. */
export interface Scope {
  /** The tables that it names, by their alias. */
  tables: ReadonlyMap<string, string>
  text: string
}

const NESTED = /^\s*(?:select|with|values|insert|update|delete)\b/
const TABLE = /\b(?:from|join|into|update|using)\s+(\w+)(?:\s+as\s+(\w+))?/g

/** Splits a statement of PostgreSQL, in which all values are parameters, into its parts. */
export function scopesOf(sql: string): Scope[] {
  const texts: string[] = []
  const open = ['']
  for (const part of sql
    .replaceAll('"', '')
    .toLowerCase()
    .split(/([()])/)) {
    if (part === '(') open.push('')
    else if (part === ')') {
      const inner = open.pop() as string
      if (NESTED.test(inner)) texts.push(inner)
      open.push(`${open.pop()}(${NESTED.test(inner) ? '' : inner})`)
    } else open.push(open.pop() + part)
  }
  return [...texts, ...open]
    .flatMap((text) => text.split(/\bunion(?: all)?\b/))
    .map((text) => ({ text: text.trim(), tables: tablesIn(text) }))
}

const tablesIn = (text: string) =>
  new Map([...text.matchAll(TABLE)].map(([, table = '', alias = table]) => [alias, table]))

/** The tables of a scope that it does not select by the column, one value of it or a list of values. */
export function unboundTables({ text, tables }: Scope, column: string, among: ReadonlySet<string>): string[] {
  const written = new RegExp(`^insert into \\w+ \\([^)]*\\b${column}\\b`).test(text)
  if (written) return []
  const bound = boundAliases(text, column)
  return [...tables].flatMap(([alias, table]) =>
    among.has(table) && !bound.has(alias) && !bound.has('') ? [table] : [],
  )
}

/** The aliases whose column is compared with `=` or `in`, alone or in a tuple. An empty one: without an alias. */
function boundAliases(text: string, column: string): Set<string> {
  const reference = `(?:(\\w+)\\.)?${column}\\b`
  const alone = [...text.matchAll(new RegExp(`(?<![\\w.])${reference}\\s*(?:=|in\\b)`, 'g'))]
  const reversed = [...text.matchAll(new RegExp(`=\\s*${reference}`, 'g'))]
  const tuples = [...text.matchAll(/\(([^()]*)\)\s*in\b/g)].flatMap(([, names = '']) => [
    ...names.matchAll(new RegExp(`(?<![\\w.])${reference}`, 'g')),
  ])
  return new Set([...alone, ...reversed, ...tuples].map(([, alias = '']) => alias))
}
