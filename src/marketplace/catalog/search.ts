import type { Reader } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { isOneOf } from '../../platform/database/tuples.ts'
import { canonicalIdentifier, type Identifier } from './identifiers.ts'
import { brandKey, classificationKey } from './search-keys.ts'
import type { CatalogTables } from './tables.ts'

const db = queryBuilder<CatalogTables>()

/** How many products a search finds at most, as the interface has it. */
export const MAX_MATCHES = 1000

/** A product that was found, and what the search could be narrowed by to find it. */
export interface Match {
  asin: string
  brand: string | null
  classificationId: string | null
  classificationName: string | null
}

export interface KeywordSearch {
  marketplaceId: string
  /** A product must have all of them. At least one. */
  words: readonly string[]
  /** A product must have one of them, where there are any; the same for classifications and those above them. */
  brandNames: readonly string[]
  classificationIds: readonly string[]
}

/** In the order of their ASINs. */
export async function matchKeywords(reader: Reader, search: KeywordSearch): Promise<Match[]> {
  // The longest word leads, and the others are looked up for what it finds: long words are rare as a rule.
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

/** The ASINs of the products that the identifiers stand for, in their order. */
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

/** Those of the ASINs that the marketplace has, in their order. */
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
