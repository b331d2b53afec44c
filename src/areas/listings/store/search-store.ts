import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reader } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isAfter, isBefore } from '../../../platform/database/tuples.ts'
import type { Status } from '../domain/listing.ts'
import type { ListingTables } from '../tables.ts'

const db = queryBuilder<ListingTables>()

export interface Search {
  sellerId: string
  marketplaceIds: readonly string[]
  skus?: readonly string[]
  asins?: readonly string[]
  fnSkus?: readonly string[]
  /** Its variations, or the SKUs that it contains and that contain it. */
  relatedTo?: { relation: 'VARIATION' | 'PACKAGE_HIERARCHY'; sku: string }
  createdAfter?: string
  createdBefore?: string
  updatedAfter?: string
  updatedBefore?: string
  severities: readonly ('WARNING' | 'ERROR')[]
  withStatus: readonly Status[]
  withoutStatus: readonly Status[]
}

export interface Sorting {
  by: 'sku' | 'created_at' | 'updated_at'
  descending: boolean
}

/** A page starts after, or ends before, the listing with these values. */
export interface Position {
  direction: 'next' | 'previous'
  value: string
  sku: string
}

/** The live service neither pages nor counts beyond this. */
export const MAX_RESULTS = 1000

const flags = { BUYABLE: 'is_buyable', DISCOVERABLE: 'is_discoverable' } as const

/** Finds the SKUs of a page. Reads an index from the start of the page, so deep pages cost no more than the first. */
export async function findPage(
  reader: Reader,
  search: Search,
  { by, descending }: Sorting,
  limit: number,
  position?: Position,
): Promise<{ sku: string; value: string }[]> {
  const backwards = position?.direction === 'previous'
  const order = descending !== backwards ? 'desc' : 'asc'
  let query = matching(search)
    .select(['listings.sku as sku', `listings.${by} as value`])
    .orderBy(`listings.${by}`, order)
    .limit(limit)
  if (by !== 'sku') query = query.orderBy('listings.sku', order)
  if (position) {
    const columns = by === 'sku' ? ['listings.sku'] : [`listings.${by}`, 'listings.sku']
    const values = by === 'sku' ? [position.sku] : [position.value, position.sku]
    query = query.where(order === 'asc' ? isAfter(columns, values) : isBefore(columns, values))
  }
  // A SKU in several marketplaces is one item, at the position of its first matching listing.
  if (search.marketplaceIds.length > 1) query = query.where(isFirstOfSku(search))
  const rows = await reader.all(query)
  return backwards ? rows.reverse() : rows
}

/** Counts matching items up to MAX_RESULTS. */
export async function countMatches(reader: Reader, search: Search): Promise<number> {
  let query = matching(search).select('listings.sku').limit(MAX_RESULTS)
  if (search.marketplaceIds.length > 1) query = query.where(isFirstOfSku(search))
  const counted = await reader.first(
    db.selectFrom(query.as('matches')).select(sql<number>`cast(count(*) as bigint)`.as('matches')),
  )
  return counted?.matches ?? 0
}

const isFirstOfSku = (search: Search) =>
  sql<SqlBool>`not exists (select 1 from listings as others where others.sku = listings.sku
    and others.marketplace_id < listings.marketplace_id and ${sql.join(conditionsOf(search, 'others'), sql` and `)})`

const matching = (search: Search) =>
  conditionsOf(search, 'listings').reduce((query, condition) => query.where(condition), db.selectFrom('listings'))

/** The conditions of a search for one alias of the listings table. */
function conditionsOf(search: Search, table: 'listings' | 'others'): RawBuilder<SqlBool>[] {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const isIn = (name: string, values: readonly string[]) => sql<SqlBool>`${column(name)} in (${sql.join(values)})`
  const { skus, asins, fnSkus, createdAfter, createdBefore, updatedAfter, updatedBefore, relatedTo } = search
  const conditions = [
    sql<SqlBool>`${column('seller_id')} = ${search.sellerId}`,
    isIn('marketplace_id', search.marketplaceIds),
  ]
  if (skus) conditions.push(isIn('sku', skus))
  // SQL has no empty lists; no listing has an empty ASIN.
  if (asins) conditions.push(isIn('asin', asins.length > 0 ? asins : ['']))
  if (fnSkus) conditions.push(isIn('fn_sku', fnSkus))
  if (createdAfter) conditions.push(sql`${column('created_at')} >= ${createdAfter}`)
  if (createdBefore) conditions.push(sql`${column('created_at')} <= ${createdBefore}`)
  if (updatedAfter) conditions.push(sql`${column('updated_at')} >= ${updatedAfter}`)
  if (updatedBefore) conditions.push(sql`${column('updated_at')} <= ${updatedBefore}`)
  if (search.severities.length > 0) {
    const flagged = search.severities.map((one) => sql`${column(one === 'ERROR' ? 'has_errors' : 'has_warnings')} = 1`)
    conditions.push(sql`(${sql.join(flagged, sql` or `)})`)
  }
  for (const status of search.withStatus) conditions.push(sql`${column(flags[status])} = 1`)
  for (const status of search.withoutStatus) conditions.push(sql`${column(flags[status])} = 0`)
  if (relatedTo) {
    const { relation, sku } = relatedTo
    const isChild = sql`parent_sku = ${sku} and child_sku = ${column('sku')}`
    const isParent = sql`child_sku = ${sku} and parent_sku = ${column('sku')}`
    conditions.push(sql`exists (select 1 from listing_relations as related
      where related.seller_id = ${column('seller_id')} and related.marketplace_id = ${column('marketplace_id')}
      and relation = ${relation} and ${relation === 'VARIATION' ? isChild : sql`(${isChild} or ${isParent})`})`)
  }
  return conditions
}
