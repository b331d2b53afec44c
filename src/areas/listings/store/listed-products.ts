import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isSoldOut, type Listing } from '../domain/listing.ts'
import { fulfillmentTypeOf, isOfferSkipped } from '../domain/sale-terms.ts'
import type { ListingTables } from '../tables.ts'
import { findListingsToChange } from './listing-store.ts'
import { lockRelations } from './relation-store.ts'

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

/**
 * Finds a seller's listings of these SKUs in all marketplaces, as buyers see them, and locks them: who buys at a price
 * gets it. Acts call it through a port.
 */
export async function findListedSkus(tx: Transaction, sellerId: string, skus: readonly string[]) {
  if (skus.length === 0) return []
  const query = db
    .selectFrom('listings')
    .select('marketplace_id')
    .distinct()
    .where('seller_id', '=', sellerId)
    .where('sku', 'in', skus)
  const marketplaceIds = (await tx.all(query)).map((row) => row.marketplace_id)
  await lockRelations(
    tx,
    marketplaceIds.map((marketplaceId) => ({ sellerId, marketplaceId })),
    'shared',
  )
  const listings = await findListingsToChange(tx, sellerId, [...new Set(skus)], marketplaceIds)
  return listings
    .filter(({ state }) => state !== 'UNKNOWN')
    .map(toListedSku)
    .sort((a, b) => compareTexts(a.sku, b.sku) || compareTexts(a.marketplaceId, b.marketplaceId))
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : Number(a > b))

const toListedSku = (listing: Listing) => ({
  sku: listing.sku,
  marketplaceId: listing.marketplaceId,
  asin: listing.asin,
  title: listing.itemName,
  conditionType: listing.conditionType,
  fulfillmentType: fulfillmentTypeOf(listing),
  price: listing.price,
  isBuyable: listing.isBuyable,
  isSoldOut: isSoldOut(listing, { ...listing, isOfferSkipped: isOfferSkipped(JSON.parse(listing.offerAttributes)) }),
})

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
