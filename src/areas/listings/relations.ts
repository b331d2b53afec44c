import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { Attributes } from './attributes.ts'
import type { ListingKey } from './listing.ts'
import type { ListingTables } from './tables.ts'

const db = queryBuilder<ListingTables>()

export type RelationKind = 'VARIATION' | 'PACKAGE_HIERARCHY'
export interface Relation {
  relation: RelationKind
  parentSku: string
  childSku: string
}

/** The attributes that say how a listing belongs to others. */
export const RELATION_ATTRIBUTES: readonly string[] = ['child_parent_sku_relationship', 'package_contains_sku']

/** What a listing says of itself: which is its parent, and what it contains. */
export function readRelations(sku: string, attributes: Attributes): Relation[] {
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

/** Writes what a listing says of itself, in place of what it said before. */
export async function replaceRelations(
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
  await markRelated(tx, { sellerId, marketplaceId }, [...new Set(named)])
}

/** Notes with listings that there are relations to look for. */
export async function markRelated(
  tx: Transaction,
  { sellerId, marketplaceId }: Omit<ListingKey, 'sku'>,
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

const findOf = prepare((key: { sellerId: string; sku: string; marketplaceId: string }) =>
  db
    .selectFrom('listing_relations')
    .select(['relation', 'parent_sku', 'child_sku'])
    .where('seller_id', '=', key.sellerId)
    .where('marketplace_id', '=', key.marketplaceId)
    .where('child_sku', '=', key.sku)
    .unionAll(
      db
        .selectFrom('listing_relations')
        .select(['relation', 'parent_sku', 'child_sku'])
        .where('seller_id', '=', key.sellerId)
        .where('marketplace_id', '=', key.marketplaceId)
        .where('relation', 'in', ['VARIATION', 'PACKAGE_HIERARCHY'])
        .where('parent_sku', '=', key.sku),
    ),
)

/** All that a listing has to do with others, whoever said so. */
export async function findRelations(reader: Reader, { sellerId, sku, marketplaceId }: ListingKey): Promise<Relation[]> {
  const rows = await reader.all(findOf, { sellerId, sku, marketplaceId })
  return rows.map((row) => ({
    relation: row.relation as RelationKind,
    parentSku: row.parent_sku,
    childSku: row.child_sku,
  }))
}
