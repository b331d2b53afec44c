import { findSimilarAsins } from '../../../marketplace/catalog/similar-items.ts'
import { dayOf, loadMarkets, type MarketKey, marketId, writePriceHistories } from '../../../marketplace/market/index.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import { upsertMany } from '../../../platform/database/upsert.ts'
import type { PricingTables } from '../tables.ts'
import { renderSummaryJson, type Summary } from './summary-text.ts'

/**
 * Computes markets, stores their summaries and adds the day's featured price to their histories. Reads the offers in
 * the same transaction: a summary of offers that have changed since must not be stored.
 */
export async function refreshSummaries(
  tx: Transaction,
  keys: readonly MarketKey[],
  now: Date,
): Promise<Map<string, Summary>> {
  const markets = await loadMarkets(tx, keys, now)
  await writePriceHistories(
    tx,
    [...markets.values()].map(({ product: { marketplaceId, asin }, currencyCode, history }) => ({
      marketplaceId,
      asin,
      currencyCode,
      closings: history,
    })),
  )
  const rows: PricingTables['market_summaries'][] = []
  for (const market of markets.values()) {
    const { marketplaceId, asin } = market.product
    // One query per product: a request names 20 at most.
    const similarAsins = await findSimilarAsins(tx, market.product)
    const key = { marketplace_id: marketplaceId, asin, computed_on: dayOf(now) }
    rows.push({ ...key, ...renderSummaryJson(market, similarAsins) })
  }
  await upsertMany(tx, 'market_summaries', ['marketplace_id', 'asin'], rows)
  return new Map(rows.map((row) => [marketId({ marketplaceId: row.marketplace_id, asin: row.asin }), row]))
}
