import type { MarketKey } from '../../../marketplace/market/index.ts'
import { type FixedList, fixedListValues, toFixedLists } from '../../../platform/database/fixed-size-list.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
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
  const [only] = keys
  if (only && keys.length === 1) {
    await tx.run(remove, only)
    return
  }
  for (const [marketplaceId, group] of Map.groupBy(keys, (key) => key.marketplaceId)) {
    const asins = [...new Set(group.map(({ asin }) => asin))]
    for (const list of toFixedLists(asins)) await tx.run(removeSome, { marketplaceId, ...list })
  }
}
