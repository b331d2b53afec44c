import { sql } from 'kysely'
import { isInCatalog } from '../../../marketplace/catalog/store.ts'
import { distinctMarkets, type MarketKey, marketsToJson } from '../../../marketplace/offers/market-key.ts'
import { isOffered } from '../../../marketplace/offers/offers.ts'
import { lookUpEach } from '../../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { isAfter, isAtOrBefore } from '../../../platform/database/tuples.ts'
import { OutdatedExpansionError } from '../../../platform/outbox/expander.ts'
import type { PricingTables } from '../tables.ts'

/** The last notification about a subject. */
export interface Notice {
  eventId: string
  /** Hash of the content without the time. */
  digest: string
  notifiedAt: Date
}

export interface MarketSubject extends MarketKey {
  condition: string
}

interface OfferInMarket {
  sellerId: string
  sku: string
}

export type HealthNotice = MarketKey & OfferInMarket & Notice

const db = queryBuilder<PricingTables>()

export const subjectId = ({ marketplaceId, asin, condition }: MarketSubject) => `${marketplaceId} ${asin} ${condition}`

const findMarkets = prepare((params: { subjects: string }, dialect) =>
  db
    .selectFrom(
      lookUpEach<PricingTables['market_notices']>(params.subjects, dialect, {
        table: 'market_notices',
        by: ['marketplace_id', 'asin', 'condition'],
      }),
    )
    .selectAll(),
)

/** Finds the last notices of markets, by `subjectId`. */
export async function findMarketNotices(
  reader: Reader,
  subjects: readonly MarketSubject[],
): Promise<Map<string, Notice>> {
  const tuples = subjects.map(({ marketplaceId, asin, condition }) => [marketplaceId, asin, condition])
  const rows = await reader.all(findMarkets, { subjects: JSON.stringify(tuples) })
  return new Map(
    rows.map((row) => [
      subjectId({ marketplaceId: row.marketplace_id, asin: row.asin, condition: row.condition }),
      { eventId: row.event_id, digest: row.digest, notifiedAt: new Date(row.notified_at) },
    ]),
  )
}

type MarketRow = PricingTables['market_notices'] & { replaced_event_id: string }

const writeMarket = prepare((row: MarketRow) =>
  db
    .insertInto('market_notices')
    .columns(['marketplace_id', 'asin', 'condition', 'event_id', 'digest', 'notified_at'])
    .expression(
      db
        .selectNoFrom([
          sql<string>`${row.marketplace_id}`.as('marketplace_id'),
          sql<string>`${row.asin}`.as('asin'),
          sql<string>`${row.condition}`.as('condition'),
          sql<string>`${row.event_id}`.as('event_id'),
          sql<string>`${row.digest}`.as('digest'),
          sql<string>`${row.notified_at}`.as('notified_at'),
        ])
        // A deleted product would violate the foreign key.
        .where(isInCatalog({ marketplaceId: row.marketplace_id, asin: row.asin })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['marketplace_id', 'asin', 'condition'])
        .doUpdateSet((eb) => ({
          event_id: eb.ref('excluded.event_id'),
          digest: eb.ref('excluded.digest'),
          notified_at: eb.ref('excluded.notified_at'),
        }))
        .where('market_notices.event_id', '=', row.replaced_event_id),
    ),
)

/**
 * Replaces the last notice. Throws if that is no longer the last one: another worker has notified of the market since,
 * perhaps of a later state.
 */
export async function replaceMarketNotice(
  tx: Transaction,
  notice: MarketSubject & Notice,
  last: Notice | undefined,
): Promise<void> {
  const written = await tx.run(writeMarket, {
    marketplace_id: notice.marketplaceId,
    asin: notice.asin,
    condition: notice.condition,
    ...toColumns(notice),
    replaced_event_id: last?.eventId ?? '',
  })
  if (written !== 1) throw new OutdatedExpansionError(`The notice of ${notice.asin} was replaced`)
}

/** Deletes the notices of all conditions. */
export async function deleteMarketNotices(tx: Transaction, { marketplaceId, asin }: MarketKey): Promise<void> {
  await tx.run(db.deleteFrom('market_notices').where('marketplace_id', '=', marketplaceId).where('asin', '=', asin))
}

interface HealthRange extends MarketKey {
  afterSeller: string
  afterSku: string
  lastSeller: string
  lastSku: string
}

const findHealth = prepare((params: HealthRange) =>
  db
    .selectFrom('pricing_health_notices')
    .selectAll()
    .where('marketplace_id', '=', params.marketplaceId)
    .where('asin', '=', params.asin)
    .where(isAfter(['seller_id', 'sku'], [params.afterSeller, params.afterSku]))
    .where(isAtOrBefore(['seller_id', 'sku'], [params.lastSeller, params.lastSku])),
)

/** Finds the notices of offers after `after`, up to and including `last`. */
export async function findHealthNotices(
  reader: Reader,
  { marketplaceId, asin }: MarketKey,
  { after, last }: { after: OfferInMarket; last: OfferInMarket },
): Promise<HealthNotice[]> {
  const rows = await reader.all(findHealth, {
    marketplaceId,
    asin,
    afterSeller: after.sellerId,
    afterSku: after.sku,
    lastSeller: last.sellerId,
    lastSku: last.sku,
  })
  return rows.map(fromHealthRow)
}

const ofMarkets = prepare((params: { markets: string }, dialect) =>
  db
    .selectFrom(
      lookUpEach<PricingTables['pricing_health_notices']>(params.markets, dialect, {
        table: 'pricing_health_notices',
        by: ['marketplace_id', 'asin'],
        several: true,
      }),
    )
    .selectAll(),
)

/** Lists the notices of all offers in these markets. */
export async function listHealthNotices(reader: Reader, markets: readonly MarketKey[]): Promise<HealthNotice[]> {
  if (markets.length === 0) return []
  return (await reader.all(ofMarkets, { markets: marketsToJson(distinctMarkets(markets)) })).map(fromHealthRow)
}

const writeHealth = prepare((row: PricingTables['pricing_health_notices']) =>
  db
    .insertInto('pricing_health_notices')
    .columns(['marketplace_id', 'asin', 'seller_id', 'sku', 'event_id', 'digest', 'notified_at'])
    .expression(
      db
        .selectNoFrom([
          sql<string>`${row.marketplace_id}`.as('marketplace_id'),
          sql<string>`${row.asin}`.as('asin'),
          sql<string>`${row.seller_id}`.as('seller_id'),
          sql<string>`${row.sku}`.as('sku'),
          sql<string>`${row.event_id}`.as('event_id'),
          sql<string>`${row.digest}`.as('digest'),
          sql<string>`${row.notified_at}`.as('notified_at'),
        ])
        // A deleted offer would violate the foreign key.
        .where(isOffered({ marketplaceId: row.marketplace_id, asin: row.asin, sellerId: row.seller_id, sku: row.sku })),
    )
    .onConflict((conflict) =>
      conflict.columns(['marketplace_id', 'asin', 'seller_id', 'sku']).doUpdateSet((eb) => ({
        event_id: eb.ref('excluded.event_id'),
        digest: eb.ref('excluded.digest'),
        notified_at: eb.ref('excluded.notified_at'),
      })),
    ),
)

export async function writeHealthNotices(tx: Transaction, notices: readonly HealthNotice[]): Promise<void> {
  if (notices.length > 0) await tx.runEach(writeHealth, notices.map(toHealthRow))
}

const removeHealth = prepare((row: PricingTables['pricing_health_notices']) =>
  db
    .deleteFrom('pricing_health_notices')
    .where('marketplace_id', '=', row.marketplace_id)
    .where('asin', '=', row.asin)
    .where('seller_id', '=', row.seller_id)
    .where('sku', '=', row.sku),
)

export async function deleteHealthNotices(tx: Transaction, notices: readonly HealthNotice[]): Promise<void> {
  if (notices.length > 0) await tx.runEach(removeHealth, notices.map(toHealthRow))
}

const toHealthRow = (notice: HealthNotice): PricingTables['pricing_health_notices'] => ({
  marketplace_id: notice.marketplaceId,
  asin: notice.asin,
  seller_id: notice.sellerId,
  sku: notice.sku,
  ...toColumns(notice),
})

const fromHealthRow = (row: PricingTables['pricing_health_notices']): HealthNotice => ({
  marketplaceId: row.marketplace_id,
  asin: row.asin,
  sellerId: row.seller_id,
  sku: row.sku,
  eventId: row.event_id,
  digest: row.digest,
  notifiedAt: new Date(row.notified_at),
})

const toColumns = ({ eventId, digest, notifiedAt }: Notice) => ({
  event_id: eventId,
  digest,
  notified_at: notifiedAt.toISOString(),
})
