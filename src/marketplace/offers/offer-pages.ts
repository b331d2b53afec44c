import type { Reader } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isAfter } from '../../platform/database/tuples.ts'
import { isKnownSeller } from '../accounts/sellers.ts'
import type { MarketKey } from './market-key.ts'
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
