import { type FixedList, fixedListValues, toFixedLists } from '../../../platform/database/fixed-size-list.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { upsertMany } from '../../../platform/database/upsert.ts'
import type { Attributes } from '../domain/attributes.ts'
import type { Listing, ListingKey } from '../domain/listing.ts'
import type { ListingTables } from '../tables.ts'

const db = queryBuilder<ListingTables>()

export type RelationKind = 'VARIATION' | 'PACKAGE_HIERARCHY'
export interface Relation {
  relation: RelationKind
  parentSku: string
  childSku: string
}

/** All that a listing says of how it belongs to others. */
export interface ListingRelations {
  key: ListingKey
  relations: readonly Relation[]
}

/** The attributes that say how a listing belongs to others. */
export const RELATION_ATTRIBUTES: readonly string[] = ['child_parent_sku_relationship', 'package_contains_sku']

/** What a listing says of itself: which is its parent, and what it contains. */
export function parseRelations({ sku, productAttributes }: Pick<Listing, 'sku' | 'productAttributes'>): Relation[] {
  const attributes: Attributes = JSON.parse(productAttributes)
  const variations = (attributes.child_parent_sku_relationship ?? []).flatMap(({ parent_sku }) =>
    typeof parent_sku === 'string' ? [{ relation: 'VARIATION' as const, parentSku: parent_sku, childSku: sku }] : [],
  )
  const contents = (attributes.package_contains_sku ?? []).flatMap(({ sku: contained }) =>
    typeof contained === 'string'
      ? [{ relation: 'PACKAGE_HIERARCHY' as const, parentSku: sku, childSku: contained }]
      : [],
  )
  return [...variations, ...contents]
}

/**
 * Writes what listings say of themselves, in place of what they said before. The listings themselves must be there
 * already; others may have named the newcomers among them before.
 */
export async function writeRelations(
  tx: Transaction,
  all: readonly ListingRelations[],
  newListings: readonly ListingKey[],
): Promise<void> {
  for (const { key, relations } of all) await replaceRelations(tx, key, relations)
  for (const own of Map.groupBy(newListings, ({ marketplaceId }) => marketplaceId).values()) {
    const [place] = own as [ListingKey]
    const named = await findRelations(
      tx,
      place,
      own.map(({ sku }) => sku),
    )
    if (named.size > 0) await setHasRelations(tx, place, [...named.keys()])
  }
}

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
  const rows = relations.map(({ relation, parentSku, childSku }) => ({
    seller_id: sellerId,
    marketplace_id: marketplaceId,
    relation,
    parent_sku: parentSku,
    child_sku: childSku,
  }))
  const key = ['seller_id', 'marketplace_id', 'relation', 'parent_sku', 'child_sku']
  if (rows.length === 0) return
  await upsertMany(tx, 'listing_relations', key, rows)
  const named = relations.flatMap(({ parentSku, childSku }) => [parentSku, childSku])
  await setHasRelations(tx, { sellerId, marketplaceId }, [...new Set(named)])
}

/** Notes with listings that there are relations to look for. */
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
      .where('sku', 'in', skus),
  )
}

type SellerMarketplaceKey = Omit<ListingKey, 'sku'>

/** The relations of some SKUs, each with the one of them that it was found by. */
const relationsOf = (place: SellerMarketplaceKey, skus: string[]) => {
  const inPlace = db
    .selectFrom('listing_relations')
    .select(['relation', 'parent_sku', 'child_sku'])
    .where('seller_id', '=', place.sellerId)
    .where('marketplace_id', '=', place.marketplaceId)
  return inPlace
    .select('child_sku as sku')
    .where('child_sku', 'in', skus)
    .unionAll(
      inPlace
        .select('parent_sku as sku')
        .where('relation', 'in', ['VARIATION', 'PACKAGE_HIERARCHY'])
        .where('parent_sku', 'in', skus),
    )
}

const findForSku = prepare((params: SellerMarketplaceKey & { sku: string }) => relationsOf(params, [params.sku]))
const findForSkus = prepare((params: SellerMarketplaceKey & FixedList) => relationsOf(params, fixedListValues(params)))

async function findRows(reader: Reader, { sellerId, marketplaceId }: SellerMarketplaceKey, skus: readonly string[]) {
  const [sku] = skus
  if (sku !== undefined && skus.length === 1) return reader.all(findForSku, { sellerId, marketplaceId, sku })
  const rows = []
  for (const slots of toFixedLists(skus))
    rows.push(...(await reader.all(findForSkus, { sellerId, marketplaceId, ...slots })))
  return rows
}

/** All that listings of a marketplace have to do with others, whoever said so, by SKU. */
export async function findRelations(
  reader: Reader,
  { sellerId, marketplaceId }: SellerMarketplaceKey,
  skus: readonly string[],
): Promise<Map<string, Relation[]>> {
  const rows = await findRows(reader, { sellerId, marketplaceId }, skus)
  const bySku = Map.groupBy(rows, ({ sku }) => sku)
  return new Map([...bySku].map(([sku, own]) => [sku, own.map(fromRow)]))
}

const fromRow = (row: Pick<ListingTables['listing_relations'], 'relation' | 'parent_sku' | 'child_sku'>): Relation => ({
  relation: row.relation as RelationKind,
  parentSku: row.parent_sku,
  childSku: row.child_sku,
})
