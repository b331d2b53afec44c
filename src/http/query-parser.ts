import { type ParsedUrlQuery, parse } from 'node:querystring'
import { BoundedMap } from '../platform/bounded-map.ts'

const KEPT = 500
const LONGEST_KEPT = 500

/**
 * Takes query strings apart. A client asks in the same words again and again, so what has been taken apart is kept by
 * its text, and is nobody's to change: several requests may hold it.
 */
export function createQueryParser(): (text: string) => Readonly<ParsedUrlQuery> {
  const kept = new BoundedMap<string, Readonly<ParsedUrlQuery>>(KEPT)
  return (text) => {
    const known = kept.get(text)
    if (known) return known
    const query = Object.freeze(parse(text))
    for (const value of Object.values(query)) Object.freeze(value)
    if (text.length <= LONGEST_KEPT) kept.set(text, query)
    return query
  }
}
