import { lookUpEach } from '../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isAfter } from '../../platform/database/tuples.ts'
import { prepareUpsert } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { findMarketplaces } from '../accounts/marketplaces.ts'
import { findCatalogItems } from '../catalog/index.ts'
import { distinctMarkets, type MarketKey, marketId, marketsToJson } from '../offers/market-key.ts'
import type { Offer } from '../offers/offers.ts'
import { computeMarket, type Market } from './market.ts'
import { limitPerSeller, loadMarketOffers } from './market-offers.ts'
import { type Closing, dayOf } from './price-history.ts'
import type { MarketTables } from './tables.ts'

const db = queryBuilder<MarketTables>()
const KEY = ['marketplace_id', 'asin']

/**
 * Computes the current markets of existing products, by `marketId`. Stores nothing. Loads their offers unless they are
 * given.
 */
export async function loadMarkets(
  reader: Reader,
  keys: readonly MarketKey[],
  now: Date,
  given?: readonly Offer[] | Promise<readonly Offer[]>,
): Promise<Map<string, Market>> {
  if (keys.length === 0) return new Map()
  const distinct = distinctMarkets(keys)
  // Started together: on PostgreSQL they share a round trip.
  const [products, allOffers, histories, marketplaces] = await Promise.all([
    findCatalogItems(reader, distinct),
    given ?? loadMarketOffers(reader, distinct),
    readHistories(reader, distinct),
    findMarketplaces(reader, [...new Set(distinct.map(({ marketplaceId }) => marketplaceId))]),
  ])
  const offers = Map.groupBy(allOffers, marketId)
  const currencies = new Map(marketplaces.map(({ marketplaceId, currencyCode }) => [marketplaceId, currencyCode]))
  const markets = new Map<string, Market>()
  for (const product of products) {
    const id = marketId(product)
    const currencyCode = currencies.get(product.marketplaceId) ?? ''
    const known = histories.get(id)
    const facts = {
      product,
      currencyCode,
      offers: limitPerSeller(offers.get(id) ?? []),
      // Prices in another currency are not comparable.
      history: known?.currencyCode === currencyCode ? known.closings : [],
    }
    markets.set(id, computeMarket(facts, dayOf(now)))
  }
  return markets
}

export interface PriceHistory extends MarketKey {
  currencyCode: string
  closings: readonly Closing[]
}

const write = prepareUpsert<MarketTables['price_histories']>('price_histories', KEY)

/** Replaces whole histories, including what Souk recorded itself. */
export async function writePriceHistories(tx: Transaction, histories: readonly PriceHistory[]): Promise<void> {
  await tx.runEach(
    write,
    histories.map(({ marketplaceId, asin, currencyCode, closings }) => ({
      marketplace_id: marketplaceId,
      asin,
      currency_code: currencyCode,
      closings: JSON.stringify(closings),
    })),
  )
}

const ofMarkets = prepare(({ markets }: { markets: string }, dialect) =>
  db
    .selectFrom(lookUpEach<MarketTables['price_histories']>(markets, dialect, { table: 'price_histories', by: KEY }))
    .selectAll(),
)

async function readHistories(reader: Reader, keys: readonly MarketKey[]): Promise<Map<string, PriceHistory>> {
  const rows = await reader.all(ofMarkets, { markets: marketsToJson(keys) })
  return new Map(rows.map(fromRow).map((history) => [marketId(history), history]))
}

export async function listPriceHistories(reader: Reader, page: PageRequest): Promise<PriceHistory[]> {
  let query = db.selectFrom('price_histories').selectAll().orderBy('marketplace_id').orderBy('asin').limit(page.limit)
  if (page.after) query = query.where(isAfter(KEY, page.after))
  return (await reader.all(query)).map(fromRow)
}

const fromRow = (row: MarketTables['price_histories']): PriceHistory => ({
  marketplaceId: row.marketplace_id,
  asin: row.asin,
  currencyCode: row.currency_code,
  closings: JSON.parse(row.closings),
})
