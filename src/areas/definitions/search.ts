import { closestLocale, type ProductTypeSummary } from '../../marketplace/product-types/index.ts'

/** A search by keywords or by a product title. Without either, all types match. */
export interface ProductTypeSearch {
  keywords?: readonly string[]
  itemName?: string
}

const MIN_STEM_LENGTH = 3
const MAX_SUFFIX_LENGTH = 2

/** Matches the name of a type, and its display names and terms in the locale of the search. */
export function matchesSearch(
  type: ProductTypeSummary,
  { keywords, itemName }: ProductTypeSearch,
  locale: string,
): boolean {
  const own = wordsOf([type.name, ...textsIn(type, locale)].join(' '))
  if (keywords) return keywords.flatMap(wordsOf).some((word) => own.some((ownWord) => ownWord.includes(word)))
  if (itemName === undefined) return true
  return wordsOf(itemName).some((word) => own.some((ownWord) => differsOnlyInSuffix(word, ownWord)))
}

function textsIn({ displayNames, searchTerms = {} }: ProductTypeSummary, locale: string): string[] {
  const closest = closestLocale(Object.keys(displayNames), locale)
  return [displayNames[closest] ?? '', ...(searchTerms[closest] ?? [])]
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Equal except for a short ending, as singular and plural in most languages: shoe, shoes. */
function differsOnlyInSuffix(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= MIN_STEM_LENGTH && long.length - short.length <= MAX_SUFFIX_LENGTH && long.startsWith(short)
}
