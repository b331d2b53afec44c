import { sql } from 'kysely'
import { toIsoTime } from '../../../platform/clock/iso-time.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { prepareInserts } from '../../../platform/database/upsert.ts'
import { isTrimmedWith, MAX_CHANGES, oldestChange } from '../domain/history.ts'
import type { Listing, ListingKey } from '../domain/listing.ts'
import type { Price } from '../domain/sale-terms.ts'
import type { ListingTables } from '../tables.ts'
import type { ListingChange } from './listing-store.ts'

const db = queryBuilder<ListingTables>()
type Row = ListingTables['listing_history']
const KEY = ['seller_id', 'sku', 'marketplace_id', 'changed_at'] as const

/** When price or quantity changed, and what they were before. */
export interface PastTerms {
  changedAt: string
  quantity: number | undefined
  price: Price | undefined
}

// Of several changes at the same time, the first one replaced the values that were visible.
const insert = prepareInserts<Row>('listing_history', {
  numbers: ['quantity_before', 'price_minor_before'],
  existing: 'keep',
})

const isOfListing = ({ sellerId, sku, marketplaceId }: ListingKey) =>
  sql<boolean>`(seller_id = ${sellerId} and sku = ${sku} and marketplace_id = ${marketplaceId})`

// Changes before the oldest time are left to the sweep: two transactions that delete the same rows can deadlock.
const trim = prepare((params: ListingKey & { oldest: string }) =>
  db
    .deleteFrom('listing_history')
    .where(isOfListing(params))
    .where('changed_at', '>=', params.oldest)
    .where('changed_at', '<', (eb) =>
      eb
        .selectFrom('listing_history')
        .select('changed_at')
        .where(isOfListing(params))
        .orderBy('changed_at', 'desc')
        .limit(1)
        // One more than can be read stays, because a reader then knows that there were earlier ones.
        .offset(MAX_CHANGES),
    ),
)

/** Records changed prices and quantities. A created or deleted listing has nothing to compare with. */
export async function recordChanges(tx: Transaction, changes: readonly ListingChange[], now: Date): Promise<void> {
  const changedAt = toIsoTime(now)
  const changed = changes.flatMap(({ before, after }) =>
    before && after && !hasSameTerms(before, after) ? [before] : [],
  )
  if (changed.length === 0) return
  await insert(
    tx,
    changed.map((before) => toRow(before, changedAt)),
  )
  const trimmed = changed.filter((before) => isTrimmedWith(before, changedAt))
  if (trimmed.length === 0) return
  const oldest = oldestChange(now).toISOString()
  await tx.runEach(
    trim,
    trimmed.map(({ sellerId, sku, marketplaceId }) => ({ sellerId, sku, marketplaceId, oldest })),
  )
}

const hasSameTerms = (before: Listing, after: Listing) =>
  before.quantity === after.quantity &&
  before.price?.minor === after.price?.minor &&
  before.price?.currencyCode === after.price?.currencyCode

/** Lists the changes of a listing from a time on, newest first. */
export async function listPastTerms(
  reader: Reader,
  key: ListingKey,
  { since, limit }: { since: string; limit: number },
): Promise<PastTerms[]> {
  const query = db
    .selectFrom('listing_history')
    .selectAll()
    .where(isOfListing(key))
    .where('changed_at', '>=', since)
    .orderBy('changed_at', 'desc')
    .limit(limit)
  return (await reader.all(query)).map(fromRow)
}

/** Deletes the oldest changes before a time. Returns how many there were. */
export async function deleteHistoryBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('listing_history')
    .select([...KEY])
    .where('changed_at', '<', before.toISOString())
    .orderBy('changed_at')
    .limit(limit)
  return tx.run(
    db.deleteFrom('listing_history').where(sql<boolean>`(${sql.join(KEY.map((one) => sql.ref(one)))}) in ${old}`),
  )
}

const toRow = ({ sellerId, sku, marketplaceId, quantity, price }: Listing, changedAt: string): Row => ({
  seller_id: sellerId,
  sku,
  marketplace_id: marketplaceId,
  changed_at: changedAt,
  quantity_before: quantity ?? null,
  price_minor_before: price?.minor ?? null,
  price_currency_before: price?.currencyCode ?? null,
})

const fromRow = (row: Row): PastTerms => ({
  changedAt: row.changed_at,
  quantity: row.quantity_before ?? undefined,
  price:
    row.price_minor_before === null || row.price_currency_before === null
      ? undefined
      : { minor: row.price_minor_before, currencyCode: row.price_currency_before },
})
