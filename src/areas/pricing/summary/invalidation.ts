import { distinctMarkets, MARKET_LOCK, type MarketKey, marketId } from '../../../marketplace/market/index.ts'
import { type FixedList, fixedListValues, toFixedLists } from '../../../platform/database/fixed-size-list.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { upsertMany } from '../../../platform/database/upsert.ts'
import type { PricingTables } from '../tables.ts'

const db = queryBuilder<PricingTables>()

const remove = prepare((key: MarketKey) =>
  db.deleteFrom('market_summaries').where('marketplace_id', '=', key.marketplaceId).where('asin', '=', key.asin),
)

/** On PostgreSQL, locks the rows in the order of their ASINs first: a deletion by itself has no order. */
const removeSome = prepare((params: { marketplaceId: string } & FixedList, dialect) => {
  const inMarketplace = db.deleteFrom('market_summaries').where('marketplace_id', '=', params.marketplaceId)
  if (dialect === 'sqlite') return inMarketplace.where('asin', 'in', fixedListValues(params))
  return inMarketplace.where('asin', 'in', (subquery) =>
    subquery
      .selectFrom('market_summaries')
      .select('asin')
      .where('marketplace_id', '=', params.marketplaceId)
      .where('asin', 'in', fixedListValues(params))
      .orderBy('asin')
      .forUpdate(),
  )
})

/**
 * Deletes the summaries of changed markets, in the transaction of the change. The next request computes them again,
 * because prices change much more often than summaries are read.
 *
 * The rows are locked in the order of their keys, so that two transactions never wait for each other's. A transaction
 * therefore invalidates once.
 */
export async function invalidateSummaries(tx: Transaction, changed: readonly MarketKey[]): Promise<void> {
  if (changed.length === 0) return
  const keys = distinctMarkets(changed).sort(byMarket)
  await tx.lock(MARKET_LOCK, keys.map(marketId), 'shared')
  if (!tx.seesLatestCommits) return replaceByPlaceholders(tx, keys)
  const [only] = keys
  if (only && keys.length === 1) return tx.runEach(remove, [only])
  for (const [marketplaceId, group] of Map.groupBy(keys, (key) => key.marketplaceId)) {
    const lists = [...toFixedLists(group.map(({ asin }) => asin))]
    await tx.runEach(
      removeSome,
      lists.map((list) => ({ marketplaceId, ...list })),
    )
  }
}

const byMarket = (a: MarketKey, b: MarketKey) => (marketId(a) < marketId(b) ? -1 : 1)

const NEVER = -1

/**
 * A serializable transaction does not see a summary that was stored after it began, and so cannot delete it. It fails to
 * write the row, though, and runs again.
 */
async function replaceByPlaceholders(tx: Transaction, keys: readonly MarketKey[]): Promise<void> {
  const rows = keys.map(({ marketplaceId, asin }): PricingTables['market_summaries'] => ({
    marketplace_id: marketplaceId,
    asin,
    computed_on: NEVER,
    head_end: 0,
    featured_end: 0,
    references_end: 0,
    offers_end: 0,
    element: '',
    used_offers: '',
    collectible_offers: '',
    refurbished_offers: '',
    club_offers: '',
  }))
  await upsertMany(tx, 'market_summaries', ['marketplace_id', 'asin'], rows)
}
