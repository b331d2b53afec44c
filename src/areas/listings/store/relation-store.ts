import { sql } from 'kysely'
import { type FixedList, fixedListValues, toFixedLists } from '../../../platform/database/fixed-size-list.ts'
import { jsonRows } from '../../../platform/database/json-lists.ts'
import type { LockMode, Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { chunks, MAX_TUPLES } from '../../../platform/database/tuples.ts'
import { upsertMany } from '../../../platform/database/upsert.ts'
import type { ListingKey } from '../domain/listing.ts'
import type { ListingRelations, Relation, RelationKind } from '../domain/relations.ts'
import type { ListingTables } from '../tables.ts'

const db = queryBuilder<ListingTables>()

/**
 * Two transactions, one with a new listing and one with a relation that names it, do not see each other's rows: the
 * first shares this lock, and the second has it alone.
 *
 * Every transaction that changes listings locks this before the rows of the listings, because a relation also changes the
 * rows of listings that it names.
 */
export const lockRelations = (tx: Transaction, keys: readonly SellerMarketplaceKey[], mode: LockMode) =>
  tx.lock(
    'listing relations',
    keys.map(({ sellerId, marketplaceId }) => `${sellerId} ${marketplaceId}`),
    mode,
  )

/** New listings that others already refer to. */
interface RelatedListings extends SellerMarketplaceKey {
  skus: readonly string[]
}

/**
 * Finds the new listings that others already refer to, and locks what `writeRelations` needs. To be called before the
 * first write: the response would come after all that was sent before.
 */
export async function findRelated(
  tx: Transaction,
  all: readonly ListingRelations[],
  newListings: readonly ListingKey[],
): Promise<RelatedListings[]> {
  const adding = all.filter(({ relations }) => relations.length > 0)
  // The caller has locked both before the rows of the listings, unless only the result of its change shows a relation.
  await lockRelations(
    tx,
    adding.map(({ key }) => key),
    'exclusive',
  )
  await lockRelations(tx, newListings, 'shared')
  const byMarketplace = [...Map.groupBy(newListings, ({ marketplaceId }) => marketplaceId).values()]
  const related = byMarketplace.map(async (own) => {
    const [{ sellerId, marketplaceId }] = own as [ListingKey]
    const skus = JSON.stringify(own.map(({ sku }) => sku))
    const found = await tx.all(findNamed, { sellerId, marketplaceId, skus })
    return { sellerId, marketplaceId, skus: found.map(({ sku }) => sku) }
  })
  return (await Promise.all(related)).filter(({ skus }) => skus.length > 0)
}

/**
 * Replaces the relations that listings declare, and marks new listings that others refer to. All listings must already
 * be stored.
 */
export async function writeRelations(
  tx: Transaction,
  all: readonly ListingRelations[],
  related: readonly RelatedListings[],
): Promise<void> {
  for (const { key, relations } of all) await replaceRelations(tx, key, relations)
  for (const { skus, ...key } of related) await setHasRelations(tx, key, skus)
}

/** Writes the relations of new listings, which must already be stored. */
export async function addRelations(tx: Transaction, all: readonly ListingRelations[]): Promise<void> {
  await upsertMany(tx, 'listing_relations', KEY, all.flatMap(toRows))
  for (const own of Map.groupBy(all, ({ key }) => `${key.sellerId} ${key.marketplaceId}`).values()) {
    const [{ key }] = own as [ListingRelations]
    const named = own.flatMap(({ relations }) => relations.flatMap(({ parentSku, childSku }) => [parentSku, childSku]))
    for (const skus of chunks([...new Set(named)], MAX_TUPLES)) await setHasRelations(tx, key, skus)
  }
}

const KEY = ['seller_id', 'marketplace_id', 'relation', 'parent_sku', 'child_sku']

const toRows = ({ key: { sellerId, marketplaceId }, relations }: ListingRelations) =>
  relations.map(({ relation, parentSku, childSku }) => ({
    seller_id: sellerId,
    marketplace_id: marketplaceId,
    relation,
    parent_sku: parentSku,
    child_sku: childSku,
  }))

async function replaceRelations(
  tx: Transaction,
  { sellerId, sku, marketplaceId }: ListingKey,
  relations: readonly Relation[],
): Promise<void> {
  const own = db
    .deleteFrom('listing_relations')
    .where('seller_id', '=', sellerId)
    .where('marketplace_id', '=', marketplaceId)
  await tx.run(own.where('relation', '=', 'VARIATION').where('child_sku', '=', sku))
  await tx.run(own.where('relation', '=', 'PACKAGE_HIERARCHY').where('parent_sku', '=', sku))
  if (relations.length === 0) return
  await upsertMany(tx, 'listing_relations', KEY, toRows({ key: { sellerId, sku, marketplaceId }, relations }))
  const named = relations.flatMap(({ parentSku, childSku }) => [parentSku, childSku])
  await setHasRelations(tx, { sellerId, marketplaceId }, [...new Set(named)])
}

async function setHasRelations(
  tx: Transaction,
  { sellerId, marketplaceId }: SellerMarketplaceKey,
  skus: readonly string[],
): Promise<void> {
  await tx.run(
    db
      .updateTable('listings')
      .set({ has_relations: 1 })
      .where('seller_id', '=', sellerId)
      .where('marketplace_id', '=', marketplaceId)
      .where('sku', 'in', [...skus])
      .where('has_relations', '=', 0),
  )
}

type SellerMarketplaceKey = Omit<ListingKey, 'sku'>

/** Selects the SKUs that have relations, of which there can be very many. */
const findNamed = prepare(({ skus, ...key }: SellerMarketplaceKey & { skus: string }, dialect) => {
  const inMarketplace = sql`select 1 from listing_relations
    where seller_id = ${key.sellerId} and marketplace_id = ${key.marketplaceId}`
  return (
    db
      .selectFrom(sql<{ sku: string }>`${jsonRows(skus, dialect, 'sku')}`.as('named'))
      .select('named.sku')
      // Evaluated once: most sellers have no relations at all.
      .where(sql<boolean>`exists (${inMarketplace})`)
      .where(
        sql<boolean>`(exists (${inMarketplace} and child_sku = named.sku) or exists (${inMarketplace}
        and relation in ('VARIATION', 'PACKAGE_HIERARCHY') and parent_sku = named.sku))`,
      )
  )
})

/** Selects the relations of SKUs, each with the SKU that it was found by. */
const relationsOf = ({ sellerId, marketplaceId }: SellerMarketplaceKey, skus: string[]) => {
  const inMarketplace = db
    .selectFrom('listing_relations')
    .select(['relation', 'parent_sku', 'child_sku'])
    .where('seller_id', '=', sellerId)
    .where('marketplace_id', '=', marketplaceId)
  return inMarketplace
    .select('child_sku as sku')
    .where('child_sku', 'in', skus)
    .unionAll(
      inMarketplace
        .select('parent_sku as sku')
        .where('relation', 'in', ['VARIATION', 'PACKAGE_HIERARCHY'])
        .where('parent_sku', 'in', skus),
    )
}

/** The live service has as many variations of a listing. */
const MAX_RELATIONS = 2_000
const MAX_RELATIONS_TOGETHER = 5_000

const findForSku = prepare((params: SellerMarketplaceKey & { sku: string }) =>
  relationsOf(params, [params.sku]).limit(MAX_RELATIONS),
)
const findForSkus = prepare((params: SellerMarketplaceKey & FixedList) =>
  relationsOf(params, fixedListValues(params)).limit(MAX_RELATIONS_TOGETHER + 1),
)

async function findRows(reader: Reader, { sellerId, marketplaceId }: SellerMarketplaceKey, skus: readonly string[]) {
  const ofEach = (some: readonly string[]) =>
    Promise.all(some.map((sku) => reader.all(findForSku, { sellerId, marketplaceId, sku })))
  if (skus.length === 1) return (await ofEach(skus)).flat()
  const pages = [...toFixedLists(skus)].map(async (list) => {
    const rows = await reader.all(findForSkus, { sellerId, marketplaceId, ...list })
    return rows.length > MAX_RELATIONS_TOGETHER ? (await ofEach([...new Set(fixedListValues(list))])).flat() : rows
  })
  return (await Promise.all(pages)).flat()
}

/** Returns the relations of SKUs by SKU, whichever of the two listings declares them: as many as MAX_RELATIONS for each. */
export async function findRelations(
  reader: Reader,
  { sellerId, marketplaceId }: SellerMarketplaceKey,
  skus: readonly string[],
): Promise<Map<string, Relation[]>> {
  const rows = await findRows(reader, { sellerId, marketplaceId }, skus)
  const bySku = Map.groupBy(rows, ({ sku }) => sku)
  return new Map([...bySku].map(([sku, own]) => [sku, own.slice(0, MAX_RELATIONS).map(fromRow)]))
}

const fromRow = (row: Pick<ListingTables['listing_relations'], 'relation' | 'parent_sku' | 'child_sku'>): Relation => ({
  relation: row.relation as RelationKind,
  parentSku: row.parent_sku,
  childSku: row.child_sku,
})
