import { findSimilarAsins } from '../../../marketplace/catalog/similar-items.ts'
import {
  dayOf,
  hasNewClosing,
  loadMarketOffers,
  loadMarkets,
  MARKET_LOCK,
  type Market,
  type MarketKey,
  marketId,
  type PriceHistory,
  writePriceHistories,
} from '../../../marketplace/market/index.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import { prepareUpsert } from '../../../platform/database/upsert.ts'
import type { PricingTables } from '../tables.ts'
import { findSummaries } from './store.ts'
import { renderSummaryJson, type Summary } from './summary-text.ts'

type Row = PricingTables['market_summaries']
const write = prepareUpsert<Row>('market_summaries', ['marketplace_id', 'asin'])

/**
 * Computes summaries, stores them and adds the day's featured price to the histories of their products. A summary must
 * not be stored if its offers have changed since, so it is not if another transaction, which may be changing them, has
 * locked the market.
 */
export async function computeSummaries(
  tx: Transaction,
  keys: readonly MarketKey[],
  now: Date,
  loadOffers = loadMarketOffers,
): Promise<Map<string, Summary>> {
  // Started together: on PostgreSQL they share a round trip. The summaries that are found are those of concurrent requests.
  const [locked, found, loaded] = await Promise.all([
    tx.tryLock(MARKET_LOCK, keys.map(marketId)),
    findSummaries(tx, keys, dayOf(now)),
    loadMarkets(tx, keys, now, loadOffers(tx, keys)),
  ])
  const markets = [...loaded.values()].filter(({ product }) => !found.has(marketId(product)))
  const isStored = (key: MarketKey) => locked.has(marketId(key))
  await writePriceHistories(
    tx,
    markets
      .filter(hasNewClosing)
      .filter(({ product }) => isStored(product))
      .map(historyOf),
  )
  const rows = await Promise.all(
    markets.map(async (market): Promise<Row> => {
      const { marketplaceId, asin } = market.product
      // One query per product: a request names 20 at most.
      const similarAsins = await findSimilarAsins(tx, market.product)
      const key = { marketplace_id: marketplaceId, asin, computed_on: dayOf(now) }
      return { ...key, ...renderSummaryJson(market, similarAsins) }
    }),
  )
  const stored = rows.filter((row) => isStored(keyOf(row)))
  await tx.runEach(write, stored)
  return new Map([...found, ...rows.map((row) => [marketId(keyOf(row)), row] as const)])
}

const historyOf = ({ product: { marketplaceId, asin }, currencyCode, history }: Market): PriceHistory => ({
  marketplaceId,
  asin,
  currencyCode,
  closings: history,
})

const keyOf = (row: Row): MarketKey => ({
  marketplaceId: row.marketplace_id,
  asin: row.asin,
})
