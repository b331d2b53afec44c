import type { Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isOneOf } from '../../platform/database/tuples.ts'
import type { MarketplaceTables } from '../tables.ts'

/** A product in a marketplace, whose offers make a market. */
export interface MarketKey {
  marketplaceId: string
  asin: string
}

const db = queryBuilder<MarketplaceTables>()

const remove = prepare((key: MarketKey) =>
  db.deleteFrom('market_summaries').where('marketplace_id', '=', key.marketplaceId).where('asin', '=', key.asin),
)

/**
 * Says that a market is no longer what was worked out of it, in the transaction that changes it. Whoever asks next
 * works it out again: a change of price is much more often made than looked at.
 */
export async function forgetSummary(tx: Transaction, { marketplaceId, asin }: MarketKey): Promise<void> {
  await tx.run(remove, { marketplaceId, asin })
}

/** The same for many at once. */
export async function forgetSummaries(tx: Transaction, keys: readonly MarketKey[]): Promise<void> {
  const tuples = distinctMarkets(keys).map(({ marketplaceId, asin }) => [marketplaceId, asin])
  if (tuples.length > 0)
    await tx.run(db.deleteFrom('market_summaries').where(isOneOf(['marketplace_id', 'asin'], tuples)))
}

export const marketId = ({ marketplaceId, asin }: MarketKey): string => `${marketplaceId} ${asin}`

export const distinctMarkets = <Key extends MarketKey>(keys: readonly Key[]): Key[] => [
  ...new Map(keys.map((key) => [marketId(key), key])).values(),
]
