import { participation } from '../../../marketplace/accounts/participation.ts'
import { type MarketKey, marketId, marketsToJson } from '../../../marketplace/market/index.ts'
import { type FixedList, fixedListValues, toFixedLists } from '../../../platform/database/fixed-size-list.ts'
import { lookUpEach } from '../../../platform/database/json-lists.ts'
import type { Reader } from '../../../platform/database/port.ts'
import { prepare, prepareLookup, queryBuilder } from '../../../platform/database/query.ts'
import type { PricingTables } from '../tables.ts'
import type { Summary } from './summary-text.ts'

const db = queryBuilder<PricingTables>()

interface LookupScope {
  sellerId: string
  marketplaceId: string
}

const COMMON_COLUMNS = ['element', 'head_end', 'featured_end', 'references_end', 'offers_end'] as const
const OTHER_CONDITION_COLUMNS = ['used_offers', 'collectible_offers', 'refurbished_offers', 'club_offers'] as const

/** One statement for the summary and the right to read it, because no other query runs as often. */
const summaryQuery = ({ sellerId, marketplaceId }: LookupScope, asins: string[]) =>
  db
    .selectFrom(participation(sellerId, marketplaceId).as('participation'))
    .leftJoin('market_summaries', (join) => join.on('marketplace_id', '=', marketplaceId).on('asin', 'in', asins))
    .select(['asin', 'computed_on', ...COMMON_COLUMNS])

type SummaryLookup = LookupScope & { asin: string }
const findOne = prepareLookup((params: SummaryLookup) => summaryQuery(params, [params.asin]))
const findOneWhole = prepareLookup((params: SummaryLookup) =>
  summaryQuery(params, [params.asin]).select(OTHER_CONDITION_COLUMNS),
)
const findSome = prepare((params: LookupScope & FixedList) => summaryQuery(params, fixedListValues(params)))
const findSomeWhole = prepare((params: LookupScope & FixedList) =>
  summaryQuery(params, fixedListValues(params)).select(OTHER_CONDITION_COLUMNS),
)

/** The text of a summary. Conditions other than New are present only if requested. */
export type StoredSummary = Pick<Summary, (typeof COMMON_COLUMNS)[number]> & Partial<Summary>

interface LookupOptions {
  today: number
  includeAllConditions: boolean
}

/** Returns null if there is none of today, and undefined if the seller does not participate. */
export async function findSummary(
  reader: Reader,
  one: SummaryLookup,
  { today, includeAllConditions }: LookupOptions,
): Promise<StoredSummary | null | undefined> {
  const row = await (includeAllConditions ? reader.first(findOneWhole, one) : reader.first(findOne, one))
  return row && (row.computed_on === today ? (row as StoredSummary) : null)
}

/** Finds current summaries by ASIN. Returns undefined if the seller does not participate. */
export async function findSummariesByAsin(
  reader: Reader,
  scope: LookupScope,
  asins: readonly string[],
  { today, includeAllConditions }: LookupOptions,
): Promise<Map<string, StoredSummary> | undefined> {
  const rows = []
  for (const list of toFixedLists(asins)) {
    const params = { ...scope, ...list }
    rows.push(...(await (includeAllConditions ? reader.all(findSomeWhole, params) : reader.all(findSome, params))))
  }
  if (rows.length === 0) return undefined
  return new Map(rows.flatMap((row) => (row.computed_on === today ? [[row.asin as string, row as StoredSummary]] : [])))
}

const findByMarkets = prepare((params: { markets: string; today: number }, dialect) =>
  db
    .selectFrom(
      lookUpEach<PricingTables['market_summaries']>(params.markets, dialect, {
        table: 'market_summaries',
        by: ['marketplace_id', 'asin'],
      }),
    )
    .selectAll()
    .where('computed_on', '=', params.today),
)

/** Finds current summaries with all conditions, by `marketId`. */
export async function findSummaries(
  reader: Reader,
  keys: readonly MarketKey[],
  today: number,
): Promise<Map<string, Summary>> {
  if (keys.length === 0) return new Map()
  const rows = await reader.all(findByMarkets, { markets: marketsToJson(keys), today })
  return new Map(rows.map((row) => [marketId({ marketplaceId: row.marketplace_id, asin: row.asin }), row]))
}
