import { type KeywordSearch, type Match, wordsOf } from '../../marketplace/catalog/index.ts'
import type { SellerCaller } from '../../platform/auth/caller.ts'
import { invalidParameter } from '../../platform/errors/api-error.ts'
import { withFields, withoutFields } from '../../platform/errors/explanation.ts'
import { decodePageToken, encodePageToken, fromFirstPage } from '../../platform/paging.ts'
import type { Refinements, SearchItemsQuery } from './schema.ts'

const MAX_WORDS = 40
const MAX_REFINEMENTS = 20
const DEFAULT_PAGE_SIZE = 10
const NOT_WITH_IDENTIFIERS = ['keywords', 'brandNames', 'classificationIds', 'keywordsLocale'] as const

/** Throws if the parameters cannot be combined. */
export function validateSearch(query: SearchItemsQuery, caller: SellerCaller): void {
  const { identifiers, identifiersType, keywords, sellerId } = query
  if (!identifiers && !keywords)
    throw invalidParameter('identifiers', 'or keywords is required', withFields({ keywords: '<words>' }))
  if (!identifiers) return
  for (const other of NOT_WITH_IDENTIFIERS) {
    if (query[other] !== undefined)
      throw invalidParameter(other, 'cannot be combined with identifiers', withoutFields(...NOT_WITH_IDENTIFIERS))
  }
  if (!identifiersType)
    throw invalidParameter('identifiersType', 'is required with identifiers', withFields({ identifiersType: 'ASIN' }))
  if (identifiersType === 'SKU' && !sellerId)
    throw invalidParameter(
      'sellerId',
      'is required when identifiersType is SKU',
      withFields({ sellerId: caller.sellerId }),
    )
}

/** Returns undefined if the keywords contain no word. */
export function parseKeywords(marketplaceId: string, query: SearchItemsQuery): KeywordSearch | undefined {
  const words = wordsOf((query.keywords ?? []).join(' '))
  if (words.length > MAX_WORDS) {
    const explain = withFields({ keywords: words.slice(0, MAX_WORDS).join(' ') })
    throw invalidParameter('keywords', `must not contain more than ${MAX_WORDS} words`, explain)
  }
  if (words.length === 0) return undefined
  const { brandNames = [], classificationIds = [] } = query
  return { marketplaceId, words, brandNames, classificationIds }
}

export interface SearchPage {
  asins: string[]
  nextToken?: string
  previousToken?: string
}

/** Returns a page of the results, sorted by ASIN. A token contains the last ASIN, so no item is skipped. */
export function paginate(
  found: readonly string[],
  { pageSize = DEFAULT_PAGE_SIZE, pageToken }: SearchItemsQuery,
): SearchPage {
  const start = pageToken === undefined ? 0 : pageStart(found, pageSize, pageToken)
  const end = start + pageSize
  const asins = found.slice(start, end)
  const [first, last] = [asins[0], asins.at(-1)]
  return {
    asins,
    ...(last && end < found.length && { nextToken: encodePageToken(['after', last]) }),
    ...(first && start > 0 && { previousToken: encodePageToken(['before', first]) }),
  }
}

function pageStart(found: readonly string[], pageSize: number, pageToken: string): number {
  const [direction, edge = ''] = decodePageToken(pageToken, 2)
  if (direction !== 'after' && direction !== 'before') {
    throw invalidParameter('pageToken', 'is invalid: it was not issued by this service', fromFirstPage(pageToken))
  }
  const next = found.findIndex((asin) => (direction === 'after' ? asin > edge : asin >= edge))
  const position = next === -1 ? found.length : next
  return direction === 'after' ? position : Math.max(position - pageSize, 0)
}

/** Counts the refinements of a search, most frequent first. */
export function countRefinements(matches: readonly Match[]): Refinements {
  const names = new Map(
    matches.map(({ classificationId, classificationName }) => [classificationId, classificationName]),
  )
  return {
    brands: countByValue(matches.map(({ brand }) => brand)).map(([brandName, numberOfResults]) => ({
      numberOfResults,
      brandName,
    })),
    classifications: countByValue(matches.map((match) => match.classificationId)).map(
      ([classificationId, numberOfResults]) => ({
        numberOfResults,
        displayName: names.get(classificationId) ?? '',
        classificationId,
      }),
    ),
  }
}

function countByValue(values: readonly (string | null)[]): [value: string, count: number][] {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  // The sort is stable: equal counts keep the order of the ASINs.
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_REFINEMENTS)
}
