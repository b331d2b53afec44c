import { type SelectQueryBuilder, sql } from 'kysely'
import type { Reader } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isAfter } from '../../../platform/database/tuples.ts'
import type { ListingTables } from '../tables.ts'

const db = queryBuilder<ListingTables>()

/** Lists a seller's known listings as stored, sorted by SKU. Reports call it through a port. */
export async function listListingRows(
  reader: Reader,
  { sellerId, marketplaceIds }: { sellerId: string; marketplaceIds: readonly string[] },
  selection: 'all' | 'active' | 'inactive',
  { after, limit }: { after: { sku: string; marketplace_id: string } | undefined; limit: number },
) {
  let query = db
    .selectFrom('listings')
    .select([
      'sku',
      'marketplace_id',
      'asin',
      'item_name',
      'main_image',
      'condition_type',
      'channel',
      'quantity',
      'price_minor',
      'price_currency',
      'is_buyable',
      'created_at',
    ])
    .where('seller_id', '=', sellerId)
    .where('marketplace_id', 'in', marketplaceIds)
    .where('state', '<>', 'UNKNOWN')
    .orderBy('sku')
    .orderBy('marketplace_id')
    .limit(limit)
  if (selection !== 'all') query = query.where('is_buyable', '=', Number(selection === 'active'))
  if (after) query = query.where(isAfter(['sku', 'marketplace_id'], [after.sku, after.marketplace_id]))
  return reader.all(query)
}

/**
 * Counts the known listings of all sellers, up to a limit, from indexes alone: reading the rows of 100,000 takes eight
 * times as long. An unknown listing always has an error, so the index of those with errors finds it.
 */
export async function countListings(reader: Reader, limit: number): Promise<number> {
  const listings = db.selectFrom('listings').select('sku')
  const withErrors = listings.where('has_errors', '=', sql.lit(1))
  const unknown = await countRows(reader, withErrors.where('state', '=', 'UNKNOWN').limit(limit))
  return (await countRows(reader, listings.limit(limit + unknown))) - unknown
}

async function countRows(reader: Reader, query: SelectQueryBuilder<ListingTables, 'listings', { sku: string }>) {
  const row = await reader.first(db.selectFrom(query.as('some')).select((eb) => eb.fn.countAll<number>().as('count')))
  return row?.count ?? 0
}
