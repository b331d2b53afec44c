import type { Database, Reader } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import type { ListingKey } from '../domain/listing.ts'
import type { ListingTables } from '../tables.ts'

const db = queryBuilder<ListingTables>()

/**
 * A listing as it is read to be shown: the row as it is stored. Those who read are many more than those who write, and
 * most of what they are shown goes into the answer as it came out of the database.
 */
export type ShownListing = Awaited<ReturnType<typeof findShownListings>>[number]

const shown = db
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

const findOne = prepare((key: { sellerId: string; sku: string; marketplaceId: string }) =>
  shown
    .where('seller_id', '=', key.sellerId)
    .where('sku', '=', key.sku)
    .where('marketplace_id', '=', key.marketplaceId),
)

/** The listing, where it can be had at once. */
export const peekShownListing = (database: Database, key: ListingKey): ShownListing | undefined =>
  database.peek(findOne, key)

export function findShownListing(reader: Reader, key: ListingKey): Promise<ShownListing | undefined> {
  return reader.first(findOne, key)
}

/** The listings of some SKUs on some marketplaces. */
export async function findShownListings(
  reader: Reader,
  sellerId: string,
  skus: readonly string[],
  marketplaceIds: readonly string[],
) {
  if (skus.length === 0) return []
  return await reader.all(
    shown
      .where('seller_id', '=', sellerId)
      .where('sku', 'in', skus)
      .where('marketplace_id', 'in', marketplaceIds)
      .orderBy('sku')
      .orderBy('marketplace_id'),
  )
}
