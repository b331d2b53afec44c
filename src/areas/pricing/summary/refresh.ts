import { findSimilarAsins } from '../../../marketplace/catalog/similar-items.ts'
import { dayOf, loadMarkets, type MarketKey, marketId, writePriceHistories } from '../../../marketplace/market/index.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import { prepareUpsert } from '../../../platform/database/upsert.ts'
import type { PricingTables } from '../tables.ts'
import { renderSummaryJson, type Summary } from './summary-text.ts'

type Row = PricingTables['market_summaries']
const write = prepareUpsert<Row>('market_summaries', ['marketplace_id', 'asin'])

/**
 * Computes markets, stores their summaries and adds the day's featured price to their histories. A summary must not be stored
 * if its offers have changed since, so a market that the transaction has not locked, because another one is changing its offers, is
 * computed but not stored.
 */
export async function refreshSummaries(
  tx: Transaction,
  keys: readonly MarketKey[],
  { locked, now }: { locked: ReadonlySet<string>; now: Date },
): Promise<Map<string, Summary>> {
  const markets = await loadMarkets(tx, keys, now)
  const isStored = (key: MarketKey) => locked.has(marketId(key))
  await writePriceHistories(
    tx,
    [...markets.values()]
      .filter(({ product }) => isStored(product))
      .map(({ product: { marketplaceId, asin }, currencyCode, history }) => ({
        marketplaceId,
        asin,
        currencyCode,
        closings: history,
      })),
  )
  const rows = await Promise.all(
    [...markets.values()].map(async (market): Promise<Row> => {
      const { marketplaceId, asin } = market.product
      // One query per product: a request names 20 at most.
      const similarAsins = await findSimilarAsins(tx, market.product)
      const key = { marketplace_id: marketplaceId, asin, computed_on: dayOf(now) }
      return { ...key, ...renderSummaryJson(market, similarAsins) }
    }),
  )
  const stored = rows.filter((row) => isStored(keyOf(row)))
  await tx.runEach(write, stored)
  return new Map(rows.map((row) => [marketId(keyOf(row)), row]))
}

const keyOf = (row: Row): MarketKey => ({
  marketplaceId: row.marketplace_id,
  asin: row.asin,
})
