import type { Reader } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { type CatalogItem, classificationKey } from './index.ts'
import type { CatalogTables } from './tables.ts'

const db = queryBuilder<CatalogTables>()
const MAX_SIMILAR_PRODUCTS = 10

interface ClassificationPosition {
  marketplaceId: string
  word: string
  asin: string
}

const neighbors = (params: ClassificationPosition, side: { operator: '<' | '>'; name: string }) =>
  db
    .selectFrom(
      db
        .selectFrom('catalog_words')
        .select('asin')
        .where('marketplace_id', '=', params.marketplaceId)
        .where('word', '=', params.word)
        .where('asin', side.operator, params.asin)
        .orderBy('asin')
        .limit(MAX_SIMILAR_PRODUCTS)
        .as(side.name),
    )
    .select('asin')

// Both databases read the first ones only if those that follow are too few: they stop at the limit.
const similar = prepare((params: ClassificationPosition) =>
  neighbors(params, { operator: '>', name: 'following' })
    .unionAll(neighbors(params, { operator: '<', name: 'preceding' }))
    .limit(MAX_SIMILAR_PRODUCTS),
)

/**
 * Returns products of the same classification: the next ones by ASIN, continued from the first ASIN. So each product has
 * different similar products, at a cost that does not depend on the size of the classification.
 */
export async function findSimilarAsins(reader: Reader, item: CatalogItem): Promise<string[]> {
  const { marketplaceId, asin, browseClassification } = item
  if (!browseClassification) return []
  const word = classificationKey(browseClassification.classificationId)
  const found = (await reader.all(similar, { marketplaceId, word, asin })).map((row) => row.asin)
  return [...found.filter((one) => one > asin), ...found.filter((one) => one < asin)]
}
