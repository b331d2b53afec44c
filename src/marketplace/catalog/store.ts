import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { toIsoTime } from '../../platform/clock/iso-time.ts'
import { prepareRunInserts, type Run } from '../../platform/database/insert-runs.ts'
import { lookUpEach } from '../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, prepareLookup, queryBuilder } from '../../platform/database/query.ts'
import { isAfter } from '../../platform/database/tuples.ts'
import { prepareInserts, upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { distinctMarkets, marketId, marketsToJson, type OnMarketsChanged } from '../offers/market-key.ts'
import { canonicalIdentifier, type Identifier } from './identifiers.ts'
import type { CatalogItem, CatalogKey } from './item.ts'
import { searchKeysOf } from './search-keys.ts'
import type { CatalogTables } from './tables.ts'

const db = queryBuilder<CatalogTables>()
type Row = CatalogTables['catalog_items']

const KEY = ['marketplace_id', 'asin']

const findByKey = prepareLookup((params: CatalogKey) =>
  db
    .selectFrom('catalog_items')
    .selectAll()
    .where('marketplace_id', '=', params.marketplaceId)
    .where('asin', '=', params.asin),
)

const findByKeys = prepare(({ keys }: { keys: string }, dialect) =>
  db
    .selectFrom(lookUpEach<Row>(keys, dialect, { table: 'catalog_items', by: KEY }))
    .selectAll()
    .orderBy('marketplace_id')
    .orderBy('asin'),
)

const findRestricted = prepare((params: { marketplaceId: string; asins: string }, dialect) =>
  db
    .selectFrom(
      lookUpEach<{ asin: string; facts: string | null }>(params.asins, dialect, {
        table: 'catalog_items',
        within: { marketplace_id: params.marketplaceId },
        by: ['asin'],
        // Few items have restrictions, and parsing one is expensive.
        columns: sql`asin, case when facts like '%"restrictions":%' then facts end as facts`,
      }),
    )
    .selectAll(),
)

const IDENTIFIER = ['marketplace_id', 'identifier_type', 'identifier'] as const

const findByIdentifiers = prepare(({ identifiers }: { identifiers: string }, dialect) =>
  db
    .selectFrom(
      lookUpEach<IdentifierRow>(identifiers, dialect, {
        table: 'catalog_identifiers',
        by: IDENTIFIER,
        orderBy: 'asin',
      }),
    )
    .selectAll()
    // The first one of each is kept last.
    .orderBy('asin', 'desc'),
)

export type CatalogWriter = ReturnType<typeof createCatalogWriter>

export const createCatalogWriter = (onMarketsChanged: OnMarketsChanged) => ({
  /** Replaces items with all of their search keys. */
  async upsert(tx: Transaction, items: readonly CatalogItem[], now: Date): Promise<void> {
    if (items.length === 0) return
    // Another transaction may be adding an item with the same identifier, after it found none.
    await lockIdentifiers(tx, items.flatMap(identifiersOf))
    const stored = await findCatalogItems(tx, items)
    await upsertMany(
      tx,
      'catalog_items',
      KEY,
      items.map((item) => toRow(item, now)),
    )
    await onMarketsChanged(tx, items)
    await writeSearchKeys(tx, items, stored)
  },
})

const insertItems = prepareInserts<Row>('catalog_items')

export interface NewCatalogItem extends Omit<CatalogItem, 'attributes'> {
  /** The attributes, as JSON: the caller stores the same text. */
  attributesJson?: string
}

/** Adds items whose ASINs do not exist. They have no markets yet, so none changes. */
export async function addCatalogItems(tx: Transaction, items: readonly NewCatalogItem[], now: Date): Promise<void> {
  await insertItems(
    tx,
    items.map(({ attributesJson, ...item }) => {
      const row = toRow(item, now)
      return attributesJson === undefined ? row : { ...row, facts: addMember(row.facts, 'attributes', attributesJson) }
    }),
  )
  await insertIdentifiers(tx, items.flatMap(identifierRowsOf))
  await insertNewWords(tx, wordRunsOf(items))
}

export async function findCatalogItem(reader: Reader, { marketplaceId, asin }: CatalogKey) {
  const row = await reader.first(findByKey, { marketplaceId, asin })
  return row && fromRow(row)
}

/** Returns the restrictions of those items that exist, by market id. */
export async function findRestrictions(
  reader: Reader,
  keys: readonly CatalogKey[],
): Promise<Map<string, CatalogItem['restrictions']>> {
  const byMarketplace = Map.groupBy(keys, ({ marketplaceId }) => marketplaceId)
  const found = [...byMarketplace].map(async ([marketplaceId, own]) => {
    const rows = await reader.all(findRestricted, { marketplaceId, asins: JSON.stringify(own.map(({ asin }) => asin)) })
    return rows.map(({ asin, facts }): [string, CatalogItem['restrictions']] => [
      marketId({ marketplaceId, asin }),
      facts === null ? undefined : JSON.parse(facts).restrictions,
    ])
  })
  return new Map((await Promise.all(found)).flat())
}

/** Returns existing items, ordered by marketplace and ASIN. */
export async function findCatalogItems(reader: Reader, keys: readonly CatalogKey[]): Promise<CatalogItem[]> {
  if (keys.length === 0) return []
  return (await reader.all(findByKeys, { keys: marketsToJson(distinctMarkets(keys)) })).map(fromRow)
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

/** Returns the ASINs of those identifiers that exist, by identifier id: the first one if several items have it. */
export async function findAsinsByIdentifier(
  reader: Reader,
  identifiers: readonly MarketplaceIdentifier[],
): Promise<Map<string, string>> {
  if (identifiers.length === 0) return new Map()
  const canonical = identifiers.map(({ marketplaceId, ...identifier }) => {
    const { type, value } = canonicalIdentifier(identifier)
    return [marketplaceId, type, value]
  })
  const rows = await reader.all(findByIdentifiers, { identifiers: JSON.stringify(canonical) })
  return new Map(rows.map((row) => [IDENTIFIER.map((column) => row[column]).join(' '), row.asin]))
}

export interface MarketplaceIdentifier extends Identifier {
  marketplaceId: string
}

/**
 * Locks the items with these identifiers, for transactions that add one if there is none. Returns false if the
 * transaction has already locked them.
 */
export const lockIdentifiers = (tx: Transaction, identifiers: readonly MarketplaceIdentifier[]): Promise<boolean> =>
  tx.lock('product identifier', identifiers.map(identifierId), 'exclusive')

/** The same for all forms of an identifier. */
export const identifierId = ({ marketplaceId, ...identifier }: MarketplaceIdentifier): string => {
  const { type, value } = canonicalIdentifier(identifier)
  return `${marketplaceId} ${type} ${value}`
}

/** A condition for queries of other owners. */
export const isInCatalog = ({ marketplaceId, asin }: CatalogKey): RawBuilder<SqlBool> =>
  sql`exists (select 1 from catalog_items where marketplace_id = ${marketplaceId} and asin = ${asin})`

export const identifiersOf = ({
  marketplaceId,
  identifiers = [],
}: Pick<CatalogItem, 'marketplaceId' | 'identifiers'>): MarketplaceIdentifier[] =>
  identifiers.map((identifier) => ({ marketplaceId, ...identifier }))

type IdentifierRow = CatalogTables['catalog_identifiers']
type WordRow = CatalogTables['catalog_words']

const insertIdentifiers = prepareInserts<IdentifierRow>('catalog_identifiers', { existing: 'keep' })
const insertWords = prepareInserts<WordRow>('catalog_words', { existing: 'keep' })
/** On PostgreSQL, half the cost of an insert that looks for an existing row. */
const insertNewWords = prepareRunInserts<WordRow>('catalog_words', ['marketplace_id', 'word', 'asin'])

const deleteIdentifier = prepare((row: IdentifierRow) =>
  db
    .deleteFrom('catalog_identifiers')
    .where('marketplace_id', '=', row.marketplace_id)
    .where('identifier_type', '=', row.identifier_type)
    .where('identifier', '=', row.identifier)
    .where('asin', '=', row.asin),
)

const deleteWord = prepare((row: WordRow) =>
  db
    .deleteFrom('catalog_words')
    .where('marketplace_id', '=', row.marketplace_id)
    .where('word', '=', row.word)
    .where('asin', '=', row.asin),
)

/** Writes the search keys of items, and deletes those that only the items in `before` had. */
async function writeSearchKeys(
  tx: Transaction,
  items: readonly CatalogItem[],
  before: readonly CatalogItem[],
): Promise<void> {
  const identifiers = items.flatMap(identifierRowsOf)
  const words = items.flatMap(wordRowsOf)
  await tx.runEach(deleteIdentifier, without(before.flatMap(identifierRowsOf), identifiers))
  await tx.runEach(deleteWord, without(before.flatMap(wordRowsOf), words))
  await insertIdentifiers(tx, identifiers)
  await insertWords(tx, words)
}

const identifierRowsOf = (item: CatalogItem): IdentifierRow[] =>
  identifiersOf(item).map(({ marketplaceId, ...identifier }) => {
    const { type, value } = canonicalIdentifier(identifier)
    return { marketplace_id: marketplaceId, identifier_type: type, identifier: value, asin: item.asin }
  })

const wordRowsOf = (item: CatalogItem): WordRow[] =>
  searchKeysOf(item).map((word) => ({ marketplace_id: item.marketplaceId, word, asin: item.asin }))

/** Equal words of several items lie on the same page, which is then found once. */
function wordRunsOf(items: readonly CatalogItem[]): Run[] {
  return [...Map.groupBy(items, ({ marketplaceId }) => marketplaceId)].flatMap(([marketplaceId, own]) => {
    const asins = new Map<string, string[]>()
    for (const item of own) {
      for (const word of searchKeysOf(item)) {
        const known = asins.get(word)
        if (known) known.push(item.asin)
        else asins.set(word, [item.asin])
      }
    }
    return [...asins].map(([word, last]) => ({ shared: [marketplaceId, word], last }))
  })
}

function without<Key extends object>(rows: readonly Key[], others: readonly Key[]): Key[] {
  if (rows.length === 0) return []
  const kept = new Set(others.map((row) => JSON.stringify(row)))
  return rows.filter((row) => !kept.has(JSON.stringify(row)))
}

/** Adds a member to the JSON of an object. */
const addMember = (object: string, name: string, json: string) =>
  `${object.slice(0, -1)}${object === '{}' ? '' : ','}"${name}":${json}}`

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
    updated_at: toIsoTime(now),
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
