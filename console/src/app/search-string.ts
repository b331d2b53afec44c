type Search = Record<string, unknown>

/**
 * Reads the query of an address. Every value stays the text that it is: the router's own reader parses values as JSON,
 * which changes the `state` of an application that asks for consent. A name that is repeated has a list of values.
 */
export function parseSearch(query: string): Search {
  const values = new URLSearchParams(query)
  return Object.fromEntries(
    [...new Set(values.keys())].map((name) => {
      const all = values.getAll(name)
      return [name, all.length > 1 ? all : all[0]]
    }),
  )
}

/** Writes what `parseSearch` reads. An object becomes JSON, which its route parses. */
export function stringifySearch(search: Search): string {
  const values = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null)
        values.append(name, typeof one === 'object' ? JSON.stringify(one) : `${one}`)
    }
  }
  const query = values.toString()
  return query && `?${query}`
}
