import { distinctMarkets, type MarketKey, marketLock } from '../../../marketplace/market/index.ts'
import { type FixedList, fixedListValues, toFixedLists } from '../../../platform/database/fixed-size-list.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { upsertMany } from '../../../platform/database/upsert.ts'
import type { PricingTables } from '../tables.ts'

const db = queryBuilder<PricingTables>()

const remove = prepare((key: MarketKey) =>
  db.deleteFrom('market_summaries').where('marketplace_id', '=', key.marketplaceId).where('asin', '=', key.asin),
)

const removeSome = prepare((params: { marketplaceId: string } & FixedList) =>
  db
    .deleteFrom('market_summaries')
    .where('marketplace_id', '=', params.marketplaceId)
    .where('asin', 'in', fixedListValues(params)),
)

/**
 * Deletes the summaries of changed markets, in the transaction of the change. The next request computes them again,
 * because prices change much more often than summaries are read.
 */
export async function invalidateSummaries(tx: Transaction, keys: readonly MarketKey[]): Promise<void> {
  if (keys.length === 0) return
  await tx.lock(keys.map(marketLock), 'shared')
  if (!tx.seesLatestCommits) return replaceByPlaceholders(tx, keys)
  const [only] = keys
  if (only && keys.length === 1) return tx.runEach(remove, [only])
  for (const [marketplaceId, group] of Map.groupBy(keys, (key) => key.marketplaceId)) {
    const asins = [...new Set(group.map(({ asin }) => asin))]
    const lists = [...toFixedLists(asins)]
    await tx.runEach(
      removeSome,
      lists.map((list) => ({ marketplaceId, ...list })),
    )
  }
}

const NEVER = -1

/**
 * A serializable transaction does not see a summary that was stored after it began, and so cannot delete it. It fails to
 * write the row, though, and runs again.
 */
async function replaceByPlaceholders(tx: Transaction, keys: readonly MarketKey[]): Promise<void> {
  const rows = distinctMarkets(keys).map(({ marketplaceId, asin }): PricingTables['market_summaries'] => ({
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
