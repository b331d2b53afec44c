import { isSku } from '../../../marketplace/sku.ts'
import type { Attributes } from './attributes.ts'
import type { Listing, ListingKey } from './listing.ts'

export type RelationKind = 'VARIATION' | 'PACKAGE_HIERARCHY'
export interface Relation {
  relation: RelationKind
  parentSku: string
  childSku: string
}

/** The relations declared by one listing. */
export interface ListingRelations {
  key: ListingKey
  relations: readonly Relation[]
}

/** The attributes that declare relations. */
export const RELATION_ATTRIBUTES: readonly string[] = ['child_parent_sku_relationship', 'package_contains_sku']

/** Whether a change with these attributes may add a relation. One that omits them can only remove relations. */
export const mayAddRelations = (attributes: readonly string[]): boolean =>
  RELATION_ATTRIBUTES.some((name) => attributes.includes(name))

/**
 * Returns the relations that a listing declares: to its parent, and to the SKUs it contains. The operator's product types
 * may allow texts that cannot be a SKU, and are too long for an index. A listing has no relation to itself.
 */
export function parseRelations({ sku, productAttributes }: Pick<Listing, 'sku' | 'productAttributes'>): Relation[] {
  const attributes: Attributes = JSON.parse(productAttributes)
  const isOther = (text: unknown): text is string => isSku(text) && text !== sku
  const variations = (attributes.child_parent_sku_relationship ?? []).flatMap(({ parent_sku }) =>
    isOther(parent_sku) ? [{ relation: 'VARIATION' as const, parentSku: parent_sku, childSku: sku }] : [],
  )
  const contents = (attributes.package_contains_sku ?? []).flatMap(({ sku: contained }) =>
    isOther(contained) ? [{ relation: 'PACKAGE_HIERARCHY' as const, parentSku: sku, childSku: contained }] : [],
  )
  return [...variations, ...contents]
}
