import { queryBuilder } from '../../platform/database/query.ts'
import type { FindAsinsBySku } from './ports.ts'
import type { CatalogTables } from './tables.ts'

const db = queryBuilder<CatalogTables>()

export const findAsinsBySku: FindAsinsBySku = async (reader, sellerId, marketplaceId, skus) => {
  const query = db
    .selectFrom('listings')
    .select('asin')
    .where('seller_id', '=', sellerId)
    .where('marketplace_id', '=', marketplaceId)
    .where('sku', 'in', skus)
  return (await reader.all(query)).flatMap(({ asin }) => (asin === null ? [] : [asin]))
}
