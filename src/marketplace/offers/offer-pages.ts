import { isTupleInJson } from '../../platform/database/json-lists.ts'
import type { Reader } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isAfter } from '../../platform/database/tuples.ts'
import { isKnownSeller } from '../accounts/sellers.ts'
import { type MarketKey, marketsToJson } from './market-key.ts'
import { fromOfferRow, type Offer } from './offers.ts'
import type { OfferTables } from './tables.ts'

const db = queryBuilder<OfferTables>()

const sellersAfter = prepare((params: MarketKey & { after: string; limit: number }) =>
  db
    .selectFrom('offers')
    .select('seller_id')
    .distinct()
    .where('marketplace_id', '=', params.marketplaceId)
    .where('asin', '=', params.asin)
    .where('seller_id', '>', params.after)
    .where(isKnownSeller('offers.seller_id'))
    .orderBy('seller_id')
    .limit(params.limit),
)

/** Lists a page of known sellers with an offer for the product. */
export async function listOfferSellers(
  reader: Reader,
  { marketplaceId, asin }: MarketKey,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  return (await reader.all(sellersAfter, { marketplaceId, asin, after, limit })).map((row) => row.seller_id)
}

const offersAfter = prepare((params: MarketKey & { sellerId: string; sku: string; limit: number }) =>
  db
    .selectFrom('offers')
    .selectAll()
    .where('marketplace_id', '=', params.marketplaceId)
    .where('asin', '=', params.asin)
    .where(isAfter(['seller_id', 'sku'], [params.sellerId, params.sku]))
    .where(isKnownSeller('offers.seller_id'))
    .orderBy('seller_id')
    .orderBy('sku')
    .limit(params.limit),
)

/** Lists a page of known sellers' offers for the product. */
export async function listSellerOffers(
  reader: Reader,
  { marketplaceId, asin }: MarketKey,
  { after, limit }: { after: Pick<Offer, 'sellerId' | 'sku'>; limit: number },
): Promise<Offer[]> {
  const { sellerId, sku } = after
  return (await reader.all(offersAfter, { marketplaceId, asin, sellerId, sku, limit })).map(fromOfferRow)
}

const ofProducts = prepare((params: { products: string }, dialect) =>
  db
    .selectFrom('offers')
    .selectAll()
    .where(isTupleInJson(['marketplace_id', 'asin'], params.products, dialect))
    .where(isKnownSeller('offers.seller_id'))
    .orderBy('seller_id')
    .orderBy('sku'),
)

const someOfProducts = prepare((params: { products: string; limit: number }, dialect) =>
  db
    .selectFrom(
      db
        .selectFrom('offers')
        .select('sku')
        .where(isTupleInJson(['marketplace_id', 'asin'], params.products, dialect))
        .limit(params.limit)
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count')),
)

/** Whether the products have more offers than can be loaded together. Counts no further. */
export async function haveMoreOffers(reader: Reader, products: readonly MarketKey[], max: number): Promise<boolean> {
  const row = await reader.first(someOfProducts, { products: marketsToJson(products), limit: max + 1 })
  return (row?.count ?? 0) > max
}

/** Lists all of the known sellers' offers for the products. */
export async function listKnownSellersOffers(reader: Reader, products: readonly MarketKey[]): Promise<Offer[]> {
  if (products.length === 0) return []
  return (await reader.all(ofProducts, { products: marketsToJson(products) })).map(fromOfferRow)
}
