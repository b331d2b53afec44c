import type { Reader } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import type { ListingTables } from '../tables.ts'

const db = queryBuilder<ListingTables>()

/** Finds the seller's listings of these SKUs, with their products. Pricing calls it through a port. */
export async function findListedProducts(
  reader: Reader,
  sellerId: string,
  marketplaceId: string,
  skus: readonly string[],
): Promise<{ sku: string; asin?: string }[]> {
  if (skus.length === 0) return []
  const query = db
    .selectFrom('listings')
    .select(['sku', 'asin'])
    .where('seller_id', '=', sellerId)
    .where('marketplace_id', '=', marketplaceId)
    .where('state', '!=', 'UNKNOWN')
    .where('sku', 'in', skus)
  return (await reader.all(query)).map(({ sku, asin }) => ({ sku, ...(asin !== null && { asin }) }))
}

/** Finds the products of a seller's SKUs, in any order. The catalog calls it through a port. */
export async function findAsinsBySku(
  reader: Reader,
  sellerId: string,
  marketplaceId: string,
  skus: readonly string[],
): Promise<string[]> {
  const query = db
    .selectFrom('listings')
    .select('asin')
    .where('seller_id', '=', sellerId)
    .where('marketplace_id', '=', marketplaceId)
    .where('sku', 'in', skus)
  return (await reader.all(query)).flatMap(({ asin }) => (asin === null ? [] : [asin]))
}
