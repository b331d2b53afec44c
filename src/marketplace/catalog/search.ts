import type { Reader } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { isOneOf } from '../../platform/database/tuples.ts'
import { canonicalIdentifier, type Identifier } from './identifiers.ts'
import { brandKey, classificationKey } from './search-keys.ts'
import type { CatalogTables } from './tables.ts'

const db = queryBuilder<CatalogTables>()

/** Maximum number of results, as documented for the API. */
export const MAX_MATCHES = 1000

/** A matching product, and the keys that would narrow the search to it. */
export interface Match {
  asin: string
  brand: string | null
  classificationId: string | null
  classificationName: string | null
}

export interface KeywordSearch {
  marketplaceId: string
  /** A product must match all of them. At least one. */
  words: readonly string[]
  /** A product must match one of them, if there are any. A classification includes its descendants. */
  brandNames: readonly string[]
  classificationIds: readonly string[]
}

/** Returns matches ordered by ASIN. */
export async function matchKeywords(reader: Reader, search: KeywordSearch): Promise<Match[]> {
  // Searches for the longest word, which is usually the rarest, and checks the other words for its matches.
  const [rarest = '', ...others] = search.words.toSorted((a, b) => b.length - a.length)
  const conditions = [
    ...others.map((word) => [word]),
    search.brandNames.map(brandKey),
    search.classificationIds.map(classificationKey),
  ].filter((alternatives) => alternatives.length > 0)
  let query = db
    .selectFrom('catalog_words as found')
    .innerJoin('catalog_items as item', (join) =>
      join.onRef('item.marketplace_id', '=', 'found.marketplace_id').onRef('item.asin', '=', 'found.asin'),
    )
    .select([
      'found.asin',
      'item.brand',
      'item.classification_id as classificationId',
      'item.classification_name as classificationName',
    ])
    .where('found.marketplace_id', '=', search.marketplaceId)
    .where('found.word', '=', rarest)
    .orderBy('found.asin')
    .limit(MAX_MATCHES)
  for (const alternatives of conditions) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('catalog_words as other')
          .select('other.asin')
          .where('other.marketplace_id', '=', search.marketplaceId)
          .where('other.word', 'in', alternatives)
          .whereRef('other.asin', '=', 'found.asin'),
      ),
    )
  }
  return reader.all(query)
}

/** Returns the ASINs for identifiers, in the order of the identifiers. */
export async function matchIdentifiers(
  reader: Reader,
  marketplaceId: string,
  identifiers: readonly Identifier[],
): Promise<string[]> {
  if (identifiers.length === 0) return []
  const canonical = identifiers.map(canonicalIdentifier).map(({ type, value }) => [marketplaceId, type, value])
  const query = db
    .selectFrom('catalog_identifiers')
    .select('asin')
    .distinct()
    .where(isOneOf(['marketplace_id', 'identifier_type', 'identifier'], canonical))
    .orderBy('asin')
    .limit(MAX_MATCHES)
  return (await reader.all(query)).map(({ asin }) => asin)
}

/** Returns the ASINs that exist in the marketplace, in the order of the input. */
export async function matchAsins(reader: Reader, marketplaceId: string, asins: readonly string[]): Promise<string[]> {
  if (asins.length === 0) return []
  const query = db
    .selectFrom('catalog_items')
    .select('asin')
    .where('marketplace_id', '=', marketplaceId)
    .where('asin', 'in', asins)
    .orderBy('asin')
  return (await reader.all(query)).map(({ asin }) => asin)
}
