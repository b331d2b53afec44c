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

const neighborsQuery = (operator: '<' | '>') =>
  prepare((params: ClassificationPosition) =>
    db
      .selectFrom('catalog_words')
      .select('asin')
      .where('marketplace_id', '=', params.marketplaceId)
      .where('word', '=', params.word)
      .where('asin', operator, params.asin)
      .orderBy('asin')
      .limit(MAX_SIMILAR_PRODUCTS),
  )

const following = neighborsQuery('>')
const preceding = neighborsQuery('<')

/**
 * Returns products of the same classification: the next ones by ASIN, continued from the first ASIN. So each product has
 * different similar products, at a cost that does not depend on the size of the classification.
 */
export async function findSimilarAsins(reader: Reader, item: CatalogItem): Promise<string[]> {
  const { marketplaceId, asin, browseClassification } = item
  if (!browseClassification) return []
  const word = classificationKey(browseClassification.classificationId)
  const position = { marketplaceId, word, asin }
  // Started together, though the second is rarely needed: on PostgreSQL they share a round trip.
  const found = await Promise.all([reader.all(following, position), reader.all(preceding, position)])
  return found
    .flat()
    .slice(0, MAX_SIMILAR_PRODUCTS)
    .map((row) => row.asin)
}
