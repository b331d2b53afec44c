import type { AccountTables } from '../../../marketplace/accounts/tables.ts'
import { type MarketKey, marketId, type Summary } from '../../../marketplace/market/index.ts'
import type { MarketTables } from '../../../marketplace/market/tables.ts'
import { type FixedList, fixedListValues, toFixedLists } from '../../../platform/database/fixed-size-list.ts'
import type { Reader } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { isOneOf } from '../../../platform/database/tuples.ts'

const db = queryBuilder<AccountTables & MarketTables>()

/** Whose question it is, and about which marketplace. */
interface LookupScope {
  sellerId: string
  marketplaceId: string
}

const COMMON_COLUMNS = ['element', 'head_end', 'featured_end', 'references_end', 'offers_end'] as const
const OTHER_CONDITION_COLUMNS = ['used_offers', 'collectible_offers', 'refurbished_offers', 'club_offers'] as const

/** Whether the seller sells there and what was worked out, in one look: this is asked more often than all else. */
const summaryQuery = (scope: LookupScope, asins: string[]) =>
  db
    .selectFrom('participations')
    .leftJoin('market_summaries', (join) =>
      join
        .onRef('market_summaries.marketplace_id', '=', 'participations.marketplace_id')
        .on('market_summaries.asin', 'in', asins),
    )
    .select(['asin', 'computed_on', ...COMMON_COLUMNS])
    .where('participations.seller_id', '=', scope.sellerId)
    .where('participations.marketplace_id', '=', scope.marketplaceId)
    .where('is_participating', '=', 1)

type SummaryLookup = LookupScope & { asin: string }
const findOne = prepare((params: SummaryLookup) => summaryQuery(params, [params.asin]))
const findOneWhole = prepare((params: SummaryLookup) =>
  summaryQuery(params, [params.asin]).select(OTHER_CONDITION_COLUMNS),
)
const findSome = prepare((params: LookupScope & FixedList) => summaryQuery(params, fixedListValues(params)))
const findSomeWhole = prepare((params: LookupScope & FixedList) =>
  summaryQuery(params, fixedListValues(params)).select(OTHER_CONDITION_COLUMNS),
)

/** The text of a summary; that of other conditions than New only where they were asked for. */
export type StoredSummary = Pick<Summary, (typeof COMMON_COLUMNS)[number]> & Partial<Summary>

interface LookupOptions {
  today: number
  includeAllConditions: boolean
}

/**
 * The summary of a product that is true today; null where it has to be worked out first, undefined where the seller
 * does not sell.
 */
export async function findSummary(
  reader: Reader,
  one: SummaryLookup,
  { today, includeAllConditions: whole }: LookupOptions,
): Promise<StoredSummary | null | undefined> {
  const row = await (whole ? reader.first(findOneWhole, one) : reader.first(findOne, one))
  return row && (row.computed_on === today ? (row as StoredSummary) : null)
}

/** Those of several products that are true today, by ASIN. Undefined where the seller does not sell. */
export async function findSummariesByAsin(
  reader: Reader,
  scope: LookupScope,
  asins: readonly string[],
  { today, includeAllConditions: whole }: LookupOptions,
): Promise<Map<string, StoredSummary> | undefined> {
  const rows = []
  for (const slots of toFixedLists(asins)) {
    const params = { ...scope, ...slots }
    rows.push(...(await (whole ? reader.all(findSomeWhole, params) : reader.all(findSome, params))))
  }
  if (rows.length === 0) return undefined
  return new Map(rows.flatMap((row) => (row.computed_on === today ? [[row.asin as string, row as StoredSummary]] : [])))
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
