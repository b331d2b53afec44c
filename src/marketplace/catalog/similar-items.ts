import type { Reader } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { type CatalogItem, classificationTerm } from './index.ts'
import type { CatalogTables } from './tables.ts'

const db = queryBuilder<CatalogTables>()
const MAX_SIMILAR_PRODUCTS = 10

interface ClassificationPosition {
  marketplaceId: string
  word: string
  asin: string
}

const following = prepare((params: ClassificationPosition) =>
  db
    .selectFrom('catalog_words')
    .select('asin')
    .where('marketplace_id', '=', params.marketplaceId)
    .where('word', '=', params.word)
    .where('asin', '>', params.asin)
    .orderBy('asin')
    .limit(MAX_SIMILAR_PRODUCTS),
)

const fromTheBeginning = prepare((params: ClassificationPosition) =>
  db
    .selectFrom('catalog_words')
    .select('asin')
    .where('marketplace_id', '=', params.marketplaceId)
    .where('word', '=', params.word)
    .where('asin', '<', params.asin)
    .orderBy('asin')
    .limit(MAX_SIMILAR_PRODUCTS),
)

/**
 * Products of the same classification: those that follow by their ASINs, and after the last the first ones. So each
 * product has others of its own, and finding them takes no longer in a large class than in a small one.
 */
export async function findSimilarAsins(reader: Reader, item: CatalogItem): Promise<string[]> {
  const { marketplaceId, asin, browseClassification } = item
  if (!browseClassification) return []
  const word = classificationTerm(browseClassification.classificationId)
  const found = await reader.all(following, { marketplaceId, word, asin })
  if (found.length < MAX_SIMILAR_PRODUCTS)
    found.push(...(await reader.all(fromTheBeginning, { marketplaceId, word, asin })))
  return found.slice(0, MAX_SIMILAR_PRODUCTS).map((row) => row.asin)
}
