import type { Requirements } from '../../../marketplace/product-types/index.ts'
import { lookUpEach } from '../../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, prepareLookup, queryBuilder } from '../../../platform/database/query.ts'
import { isAfter } from '../../../platform/database/tuples.ts'
import { prepareInserts, upsertMany } from '../../../platform/database/upsert.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { type Issue, severityOf } from '../domain/issues.ts'
import type { Listing, ListingKey, ListingState } from '../domain/listing.ts'
import type { ListingTables } from '../tables.ts'

const db = queryBuilder<ListingTables>()
export type ListingRow = ListingTables['listings']
const KEY = ['seller_id', 'sku', 'marketplace_id'] satisfies (keyof ListingRow)[]

interface KeyParams {
  sellerId: string
  sku: string
  marketplaceId: string
}

const selectOne = (key: KeyParams) =>
  db
    .selectFrom('listings')
    .selectAll()
    .where('seller_id', '=', key.sellerId)
    .where('sku', '=', key.sku)
    .where('marketplace_id', '=', key.marketplaceId)

const find = prepareLookup(selectOne)
/** Locks the row: what is computed from it is written to it in the same transaction. */
const findToChange = prepare((key: KeyParams) => selectOne(key).forUpdate())

const insert = prepareInserts<ListingRow>('listings', {
  numbers: [
    'quantity',
    'price_minor',
    'has_plain_terms',
    'has_relations',
    'is_buyable',
    'is_discoverable',
    'has_errors',
    'has_warnings',
  ],
})

const updateOf = ({ seller_id, sku, marketplace_id }: Pick<ListingRow, 'seller_id' | 'sku' | 'marketplace_id'>) =>
  db
    .updateTable('listings')
    .where('seller_id', '=', seller_id)
    .where('sku', '=', sku)
    .where('marketplace_id', '=', marketplace_id)

const update = prepare((row: ListingRow) => {
  const { seller_id, sku, marketplace_id, has_relations, created_at, ...changed } = row
  return updateOf(row).set(changed)
})

/** Leaves out the indexed columns, so that their indexes are not written: a listing rarely changes its product. */
const updateContent = prepare((row: ListingRow) => {
  const { seller_id, sku, marketplace_id, state, asin, fn_sku, has_relations, created_at, ...changed } = row
  return updateOf(row).set(changed)
})

/** Leaves out product_attributes, the largest column: price and quantity change far more often than the product. */
const updateOffer = prepare((row: ListingRow) =>
  updateOf(row).set({
    condition_type: row.condition_type,
    channel: row.channel,
    quantity: row.quantity,
    price_minor: row.price_minor,
    price_currency: row.price_currency,
    has_plain_terms: row.has_plain_terms,
    is_buyable: row.is_buyable,
    is_discoverable: row.is_discoverable,
    has_errors: row.has_errors,
    has_warnings: row.has_warnings,
    offer_attributes: row.offer_attributes,
    issues: row.issues,
    updated_at: row.updated_at,
  }),
)

const remove = prepare((row: ListingRow) =>
  db
    .deleteFrom('listings')
    .where('seller_id', '=', row.seller_id)
    .where('sku', '=', row.sku)
    .where('marketplace_id', '=', row.marketplace_id),
)

export async function findListing(reader: Reader, key: ListingKey): Promise<Listing | undefined> {
  const row = await reader.first(find, key)
  return row && fromRow(row)
}

export async function findListingToChange(tx: Transaction, key: ListingKey): Promise<Listing | undefined> {
  const row = await tx.first(findToChange, key)
  return row && fromRow(row)
}

const findSomeToChange = prepare(({ skus, ...key }: Omit<KeyParams, 'sku'> & { skus: string }, dialect) =>
  db
    .selectFrom(
      lookUpEach<ListingRow>(skus, dialect, {
        table: 'listings',
        within: { seller_id: key.sellerId, marketplace_id: key.marketplaceId },
        by: ['sku'],
        forUpdate: true,
      }),
    )
    .selectAll(),
)

/** In one order everywhere, so that two transactions never wait for each other's listings. */
export async function findListingsToChange(
  tx: Transaction,
  sellerId: string,
  skus: readonly string[],
  marketplaceIds: readonly string[],
): Promise<Listing[]> {
  const sorted = JSON.stringify(sortByBytes(skus))
  const found = marketplaceIds
    .toSorted()
    .map((marketplaceId) => tx.all(findSomeToChange, { sellerId, marketplaceId, skus: sorted }))
  return (await Promise.all(found)).flat().map(fromRow)
}

function sortByBytes(texts: readonly string[]): string[] {
  const pairs = texts.map((text) => ({ text, bytes: Buffer.from(text) }))
  return pairs.sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ text }) => text)
}

/** A created (no `before`), changed or deleted (no `after`) listing. */
export interface ListingChange {
  before: Listing | undefined
  after: Listing | undefined
}

export async function writeListings(tx: Transaction, changes: readonly ListingChange[]): Promise<void> {
  const byStatement = Map.groupBy(changes, statementFor)
  // Deletions first: the same listing may be created again.
  for (const name of ['remove', 'update', 'updateContent', 'updateOffer'] as const) {
    const some = byStatement.get(name)
    if (some) await tx.runEach(statements[name], some.map(changedRow))
  }
  const created = byStatement.get('insert')
  if (created) await insert(tx, created.map(changedRow))
}

const changedRow = ({ before, after }: ListingChange) => toRow((after ?? before) as Listing)

const statements = { remove, update, updateContent, updateOffer }
type StatementName = keyof typeof statements | 'insert'

function statementFor({ before, after }: ListingChange): StatementName {
  if (!after) return 'remove'
  if (!before) return 'insert'
  if (onlyOfferChanged(before, after)) return 'updateOffer'
  return hasSameProduct(before, after) ? 'updateContent' : 'update'
}

export async function upsertListings(tx: Transaction, listings: readonly Listing[]): Promise<void> {
  await upsertMany(tx, 'listings', KEY, listings.map(toRow))
}

/** Lists the listings of all sellers. */
export async function listAllListings(reader: Reader, page: PageRequest): Promise<Listing[]> {
  let query = db.selectFrom('listings').selectAll().limit(page.limit)
  for (const column of KEY) query = query.orderBy(column)
  if (page.after) query = query.where(isAfter(KEY, page.after))
  return (await reader.all(query)).map(fromRow)
}

const hasSameProduct = (before: Listing, after: Listing) =>
  before.state === after.state && before.asin === after.asin && before.fnSku === after.fnSku

const onlyOfferChanged = (before: Listing, after: Listing) =>
  hasSameProduct(before, after) &&
  before.productAttributes === after.productAttributes &&
  before.productType === after.productType &&
  before.requirements === after.requirements

const NO_ISSUES = '[]'
const hasAny = (issues: readonly Issue[], severity: string) =>
  Number(issues.some((issue) => severityOf(issue) === severity))

const toRow = (listing: Listing): ListingRow => ({
  seller_id: listing.sellerId,
  sku: listing.sku,
  marketplace_id: listing.marketplaceId,
  state: listing.state,
  product_type: listing.productType,
  requirements: listing.requirements,
  asin: listing.asin ?? null,
  fn_sku: listing.fnSku ?? null,
  item_name: listing.itemName ?? null,
  main_image: listing.mainImage ?? null,
  condition_type: listing.conditionType,
  channel: listing.channel,
  quantity: listing.quantity ?? null,
  price_minor: listing.price?.minor ?? null,
  price_currency: listing.price?.currencyCode ?? null,
  has_plain_terms: Number(listing.hasPlainTerms),
  // Inserts only: updates leave the column out, and relation-store.ts sets it once the relations are written.
  has_relations: 0,
  is_buyable: Number(listing.isBuyable),
  is_discoverable: Number(listing.isDiscoverable),
  has_errors: hasAny(listing.issues, 'ERROR'),
  has_warnings: hasAny(listing.issues, 'WARNING'),
  product_attributes: listing.productAttributes,
  offer_attributes: listing.offerAttributes,
  issues: listing.issues.length === 0 ? NO_ISSUES : JSON.stringify(listing.issues),
  created_at: listing.createdAt,
  updated_at: listing.updatedAt,
})

const priceOf = ({ price_minor: minor, price_currency: currencyCode }: ListingRow) =>
  minor === null || currencyCode === null ? undefined : { minor, currencyCode }

// Sets every property, also to undefined: V8 copies and reads objects of one shape several times as fast.
const fromRow = (row: ListingRow): Listing => ({
  sellerId: row.seller_id,
  sku: row.sku,
  marketplaceId: row.marketplace_id,
  state: row.state as ListingState,
  productType: row.product_type,
  requirements: row.requirements as Requirements,
  asin: row.asin ?? undefined,
  fnSku: row.fn_sku ?? undefined,
  itemName: row.item_name ?? undefined,
  mainImage: row.main_image ?? undefined,
  conditionType: row.condition_type,
  channel: row.channel,
  quantity: row.quantity ?? undefined,
  price: priceOf(row),
  hasPlainTerms: row.has_plain_terms === 1,
  hasRelations: row.has_relations === 1,
  isBuyable: row.is_buyable === 1,
  isDiscoverable: row.is_discoverable === 1,
  productAttributes: row.product_attributes,
  offerAttributes: row.offer_attributes,
  issues: row.issues === NO_ISSUES ? [] : JSON.parse(row.issues),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
