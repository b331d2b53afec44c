import { type FixedList, fixedListValues, toFixedLists } from '../../platform/database/fixed-size-list.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import type { MarketTables } from './tables.ts'

/** A product in a marketplace, whose offers make a market. */
export interface MarketKey {
  marketplaceId: string
  asin: string
}

const db = queryBuilder<MarketTables>()

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
 * Says that markets are no longer what was worked out of them, in the transaction that changes them. Whoever asks next
 * works them out again: a change of price is much more often made than looked at.
 */
export async function invalidateSummaries(tx: Transaction, keys: readonly MarketKey[]): Promise<void> {
  const [only] = keys
  if (only && keys.length === 1) {
    await tx.run(remove, only)
    return
  }
  for (const [marketplaceId, group] of Map.groupBy(keys, (key) => key.marketplaceId)) {
    const asins = [...new Set(group.map(({ asin }) => asin))]
    for (const slots of toFixedLists(asins)) await tx.run(removeSome, { marketplaceId, ...slots })
  }
}

export const marketId = ({ marketplaceId, asin }: MarketKey): string => `${marketplaceId} ${asin}`

export const distinctMarkets = <Key extends MarketKey>(keys: readonly Key[]): Key[] => [
  ...new Map(keys.map((key) => [marketId(key), key])).values(),
]
