import { type ParsedUrlQuery, parse } from 'node:querystring'
import { BoundedMap } from '../platform/bounded-map.ts'

const MAX_CACHED_QUERIES = 500
const MAX_CACHED_LENGTH = 500

/**
 * Parses query strings. Clients repeat the same queries, so results are cached by their text. They are frozen, because
 * several requests may share one.
 */
export function createQueryParser(): (text: string) => Readonly<ParsedUrlQuery> {
  const cache = new BoundedMap<string, Readonly<ParsedUrlQuery>>(MAX_CACHED_QUERIES)
  return (text) => {
    const known = cache.get(text)
    if (known) return known
    const query = Object.freeze(parse(text))
    for (const value of Object.values(query)) Object.freeze(value)
    if (text.length <= MAX_CACHED_LENGTH) cache.set(text, query)
    return query
  }
}
