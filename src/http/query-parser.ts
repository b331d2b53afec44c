import { type ParsedUrlQuery, parse } from 'node:querystring'
import { BoundedMap } from '../platform/bounded-map.ts'

const MAX_CACHED_QUERIES = 500
const MAX_CACHED_LENGTH = 500

/**
 * Takes query strings apart. A client asks in the same words again and again, so what has been taken apart is kept by
 * its text, and is nobody's to change: several requests may hold it.
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
