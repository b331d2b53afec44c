import type { Reader } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isSoldOut, type ListingState } from '../domain/listing.ts'
import { fulfillmentTypeOf, isOfferSkipped } from '../domain/sale-terms.ts'
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

/** Finds a seller's listings of these SKUs in all marketplaces, as buyers see them. Acts call it through a port. */
export async function findListedSkus(reader: Reader, sellerId: string, skus: readonly string[]) {
  if (skus.length === 0) return []
  const query = db
    .selectFrom('listings')
    .select([
      'sku',
      'marketplace_id',
      'asin',
      'item_name',
      'condition_type',
      'channel',
      'quantity',
      'price_minor',
      'price_currency',
      'is_buyable',
      'state',
      'issues',
      'offer_attributes',
    ])
    .where('seller_id', '=', sellerId)
    .where('sku', 'in', skus)
    .where('state', '!=', 'UNKNOWN')
    .orderBy('sku')
    .orderBy('marketplace_id')
  return (await reader.all(query)).map((row) => {
    const { state, channel } = row
    const asin = row.asin ?? undefined
    const quantity = row.quantity ?? undefined
    const price =
      row.price_minor === null || row.price_currency === null
        ? undefined
        : { minor: row.price_minor, currencyCode: row.price_currency }
    const terms = { channel, quantity, price, isOfferSkipped: isOfferSkipped(JSON.parse(row.offer_attributes)) }
    return {
      sku: row.sku,
      marketplaceId: row.marketplace_id,
      asin,
      title: row.item_name ?? undefined,
      conditionType: row.condition_type,
      fulfillmentType: fulfillmentTypeOf(row),
      price,
      isBuyable: row.is_buyable === 1,
      isSoldOut: isSoldOut({ state: state as ListingState, asin, issues: JSON.parse(row.issues) }, terms),
    }
  })
}

/** SKUs of a seller in one of the marketplaces, or in any, from a text on. */
export async function listSkus(
  reader: Reader,
  sellerId: string,
  { from, marketplaceIds, limit }: { from: string; marketplaceIds?: readonly string[]; limit: number },
): Promise<string[]> {
  let query = db
    .selectFrom('listings')
    .select('sku')
    .distinct()
    .where('seller_id', '=', sellerId)
    .where('state', '!=', 'UNKNOWN')
    .where('sku', '>=', from)
    .orderBy('sku')
    .limit(limit)
  if (marketplaceIds) query = query.where('marketplace_id', 'in', marketplaceIds)
  return (await reader.all(query)).map(({ sku }) => sku)
}
