import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isAfter, isOneOf } from '../../platform/database/tuples.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import type { OnMarketsChanged } from '../offers/market-key.ts'
import { canonicalIdentifier, type Identifier } from './identifiers.ts'
import type { CatalogItem, CatalogKey } from './item.ts'
import { searchKeysOf } from './search-keys.ts'
import type { CatalogTables } from './tables.ts'

const db = queryBuilder<CatalogTables>()
type Row = CatalogTables['catalog_items']

const KEY = ['marketplace_id', 'asin']

const findByKey = prepare((params: CatalogKey) =>
  db
    .selectFrom('catalog_items')
    .selectAll()
    .where('marketplace_id', '=', params.marketplaceId)
    .where('asin', '=', params.asin),
)

const findFacts = prepare((params: CatalogKey) =>
  db
    .selectFrom('catalog_items')
    .select('facts')
    .where('marketplace_id', '=', params.marketplaceId)
    .where('asin', '=', params.asin),
)

const findByIdentifier = prepare((params: Identifier & { marketplaceId: string }) =>
  db
    .selectFrom('catalog_identifiers')
    .select('asin')
    .where('marketplace_id', '=', params.marketplaceId)
    .where('identifier_type', '=', params.type)
    .where('identifier', '=', params.value)
    .orderBy('asin')
    .limit(1),
)

export type CatalogWriter = ReturnType<typeof createCatalogWriter>

export const createCatalogWriter = (onMarketsChanged: OnMarketsChanged) => ({
  /** Replaces items with all of their search keys. */
  async upsert(tx: Transaction, items: readonly CatalogItem[], now: Date): Promise<void> {
    if (items.length === 0) return
    // Another transaction may be adding an item with the same identifier, after it found none.
    await lockIdentifiers(tx, items.flatMap(identifiersOf))
    await upsertMany(
      tx,
      'catalog_items',
      KEY,
      items.map((item) => toRow(item, now)),
    )
    await tx.run(db.deleteFrom('catalog_identifiers').where(ofItems(items)))
    await tx.run(db.deleteFrom('catalog_words').where(ofItems(items)))
    await onMarketsChanged(tx, items)
    await writeIdentifiers(tx, items)
    await addSearchWords(tx, items)
  },
})

const insertItem = prepare((row: Row) =>
  db
    .insertInto('catalog_items')
    .values({ ...row })
    .onConflict((conflict) => conflict.doNothing()),
)

/**
 * Adds an item, which is found by its identifiers. `addSearchWords` completes it. Returns false if its ASIN exists. A new item
 * has no market yet, so none changes.
 */
export async function addCatalogItem(tx: Transaction, item: CatalogItem, now: Date): Promise<boolean> {
  if ((await tx.run(insertItem, toRow(item, now))) === 0) return false
  await writeIdentifiers(tx, [item])
  return true
}

export async function findCatalogItem(reader: Reader, { marketplaceId, asin }: CatalogKey) {
  const row = await reader.first(findByKey, { marketplaceId, asin })
  return row && fromRow(row)
}

/** Parses an item only if it has restrictions: few items have any, and parsing one is expensive. */
export async function findRestrictions(reader: Reader, key: CatalogKey): Promise<CatalogItem['restrictions']> {
  const row = await reader.first(findFacts, key)
  return row?.facts.includes('"restrictions":') ? JSON.parse(row.facts).restrictions : undefined
}

/** Returns existing items, ordered by marketplace and ASIN. */
export async function findCatalogItems(reader: Reader, keys: readonly CatalogKey[]): Promise<CatalogItem[]> {
  if (keys.length === 0) return []
  const query = db
    .selectFrom('catalog_items')
    .selectAll()
    .where(ofItems(keys))
    .orderBy('marketplace_id')
    .orderBy('asin')
  return (await reader.all(query)).map(fromRow)
}

export async function listCatalogItems(
  reader: Reader,
  page: PageRequest & { marketplaceId?: string },
): Promise<CatalogItem[]> {
  let query = db.selectFrom('catalog_items').selectAll().orderBy('marketplace_id').orderBy('asin').limit(page.limit)
  if (page.marketplaceId) query = query.where('marketplace_id', '=', page.marketplaceId)
  if (page.after) query = query.where(isAfter(KEY, page.after))
  return (await reader.all(query)).map(fromRow)
}

/** Returns the first ASIN if several items have the identifier. */
export async function findAsinByIdentifier(
  reader: Reader,
  marketplaceId: string,
  identifier: Identifier,
): Promise<string | undefined> {
  const row = await reader.first(findByIdentifier, { marketplaceId, ...canonicalIdentifier(identifier) })
  return row?.asin
}

export interface MarketplaceIdentifier extends Identifier {
  marketplaceId: string
}

/**
 * Locks the items with these identifiers, for transactions that add one if there is none. Returns false if the transaction has
 * already locked them.
 */
export const lockIdentifiers = (tx: Transaction, identifiers: readonly MarketplaceIdentifier[]): Promise<boolean> =>
  tx.lock('product identifier', identifiers.map(toIdentifierId), 'exclusive')

const toIdentifierId = ({ marketplaceId, ...identifier }: MarketplaceIdentifier) => {
  const { type, value } = canonicalIdentifier(identifier)
  return `${marketplaceId} ${type} ${value}`
}

/** A condition for queries of other owners. */
export const isInCatalog = ({ marketplaceId, asin }: CatalogKey): RawBuilder<SqlBool> =>
  sql`exists (select 1 from catalog_items where marketplace_id = ${marketplaceId} and asin = ${asin})`

const identifiersOf = ({ marketplaceId, identifiers = [] }: CatalogItem): MarketplaceIdentifier[] =>
  identifiers.map((identifier) => ({ marketplaceId, ...identifier }))

async function writeIdentifiers(tx: Transaction, items: readonly CatalogItem[]): Promise<void> {
  const identifiers = items.flatMap((item) =>
    identifiersOf(item).map(({ marketplaceId, ...identifier }) => {
      const { type, value } = canonicalIdentifier(identifier)
      return { marketplace_id: marketplaceId, identifier_type: type, identifier: value, asin: item.asin }
    }),
  )
  await upsertMany(tx, 'catalog_identifiers', ['marketplace_id', 'identifier_type', 'identifier', 'asin'], identifiers)
}

/** Of new items, or after a deletion of their words. */
export async function addSearchWords(tx: Transaction, items: readonly CatalogItem[]): Promise<void> {
  const words = items.flatMap((item) =>
    searchKeysOf(item).map((word) => ({ marketplace_id: item.marketplaceId, word, asin: item.asin })),
  )
  await upsertMany(tx, 'catalog_words', ['marketplace_id', 'word', 'asin'], words)
}

const ofItems = (keys: readonly CatalogKey[]) =>
  isOneOf(
    KEY,
    keys.map(({ marketplaceId, asin }) => [marketplaceId, asin]),
  )

function toRow(item: CatalogItem, now: Date): Row {
  const { marketplaceId, asin, productType, itemName, brand, ...facts } = item
  return {
    marketplace_id: marketplaceId,
    asin,
    product_type: productType,
    item_name: itemName,
    brand: brand ?? null,
    classification_id: facts.browseClassification?.classificationId ?? null,
    classification_name: facts.browseClassification?.displayName ?? null,
    facts: JSON.stringify(facts),
    updated_at: now.toISOString(),
  }
}

const fromRow = (row: Row): CatalogItem => ({
  marketplaceId: row.marketplace_id,
  asin: row.asin,
  productType: row.product_type,
  itemName: row.item_name,
  ...(row.brand !== null && { brand: row.brand }),
  itemClassification: 'BASE_PRODUCT',
  ...JSON.parse(row.facts),
})
