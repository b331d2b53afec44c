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

/** Counts the known listings of all sellers, up to a limit. */
export async function countListings(reader: Reader, limit: number): Promise<number> {
  const some = db.selectFrom('listings').select('sku').where('state', '<>', 'UNKNOWN').limit(limit).as('some')
  const row = await reader.first(db.selectFrom(some).select((eb) => eb.fn.countAll<number>().as('count')))
  return row?.count ?? 0
}
