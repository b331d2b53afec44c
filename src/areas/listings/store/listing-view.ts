import type { Database, Reader } from '../../../platform/database/port.ts'
import { prepareLookup, queryBuilder } from '../../../platform/database/query.ts'
import type { ListingKey } from '../domain/listing.ts'
import type { ListingTables } from '../tables.ts'

const db = queryBuilder<ListingTables>()

/**
 * The row of a listing, as stored. Listings are read far more often than written, and most columns go into the response
 * unchanged.
 */
export type ListingView = Awaited<ReturnType<typeof findListingViews>>[number]

const viewColumns = db
  .selectFrom('listings')
  .select([
    'sku',
    'marketplace_id',
    'state',
    'product_type',
    'asin',
    'fn_sku',
    'item_name',
    'main_image',
    'condition_type',
    'channel',
    'quantity',
    'price_minor',
    'price_currency',
    'has_plain_terms',
    'is_buyable',
    'is_discoverable',
    'product_attributes',
    'offer_attributes',
    'issues',
    'created_at',
    'updated_at',
    'has_relations',
  ])

const findOne = prepareLookup((key: { sellerId: string; sku: string; marketplaceId: string }) =>
  viewColumns
    .where('seller_id', '=', key.sellerId)
    .where('sku', '=', key.sku)
    .where('marketplace_id', '=', key.marketplaceId),
)

/** Returns undefined if the database cannot read synchronously: fall back to findListingView. */
export const peekListingView = (database: Database, key: ListingKey): ListingView | undefined =>
  database.peek(findOne, key)

export function findListingView(reader: Reader, key: ListingKey): Promise<ListingView | undefined> {
  return reader.first(findOne, key)
}

export async function findListingViews(
  reader: Reader,
  sellerId: string,
  skus: readonly string[],
  marketplaceIds: readonly string[],
) {
  if (skus.length === 0) return []
  return await reader.all(
    viewColumns
      .where('seller_id', '=', sellerId)
      .where('sku', 'in', skus)
      .where('marketplace_id', 'in', marketplaceIds)
      .orderBy('sku')
      .orderBy('marketplace_id'),
  )
}
