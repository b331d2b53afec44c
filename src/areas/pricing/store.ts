import { type MarketKey, marketId, type Summary } from '../../marketplace/market/index.ts'
import type { MarketplaceTables } from '../../marketplace/tables.ts'
import type { Reader } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isOneOf } from '../../platform/database/tuples.ts'

const db = queryBuilder<MarketplaceTables>()

interface SummaryKey {
  sellerId: string
  marketplaceId: string
  asin: string
}

const MOST_WANTED = ['element', 'head_end', 'featured_end', 'references_end', 'offers_end'] as const
const OTHERS = ['used_offers', 'collectible_offers', 'refurbished_offers', 'club_offers'] as const

/** Whether the seller sells there and what was worked out, in one look: this is asked more often than all else. */
const lookUp = (key: SummaryKey) =>
  db
    .selectFrom('participations')
    .leftJoin('market_summaries', (join) =>
      join
        .onRef('market_summaries.marketplace_id', '=', 'participations.marketplace_id')
        .on('market_summaries.asin', '=', key.asin),
    )
    .select(['computed_on', ...MOST_WANTED])
    .where('participations.seller_id', '=', key.sellerId)
    .where('participations.marketplace_id', '=', key.marketplaceId)
    .where('is_participating', '=', 1)

const find = prepare(lookUp)
const findWhole = prepare((key: SummaryKey) => lookUp(key).select(OTHERS))

/** The text of a summary; that of other conditions than New only where they were asked for. */
export type StoredSummary = Pick<Summary, (typeof MOST_WANTED)[number]> & Partial<Summary>

/**
 * The summary of a product that is true today; null where it has to be worked out first, undefined where the seller
 * does not sell.
 */
export async function findSummary(
  reader: Reader,
  key: SummaryKey,
  { today, whole }: { today: number; whole: boolean },
): Promise<StoredSummary | null | undefined> {
  const row = await (whole ? reader.first(findWhole, key) : reader.first(find, key))
  return row && (row.computed_on === today ? (row as StoredSummary) : null)
}

/** The summaries of these products that are true today, whole, by `marketId`. */
export async function findSummaries(
  reader: Reader,
  keys: readonly MarketKey[],
  today: number,
): Promise<Map<string, Summary>> {
  const tuples = keys.map(({ marketplaceId, asin }) => [marketplaceId, asin])
  const query = db
    .selectFrom('market_summaries')
    .selectAll()
    .where(isOneOf(['marketplace_id', 'asin'], tuples))
    .where('computed_on', '=', today)
  const rows = await reader.all(query)
  return new Map(rows.map((row) => [marketId({ marketplaceId: row.marketplace_id, asin: row.asin }), row]))
}
