import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Status } from '../domain/listing.ts'

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

export type SortColumn = 'sku' | 'created_at' | 'updated_at'
export type Condition = RawBuilder<SqlBool>

/** A part of an index in the order of a search, and the conditions that the index does not decide. */
export interface Range {
  bounds: Condition[]
  tests: Condition[]
}

const flags = { BUYABLE: 'is_buyable', DISCOVERABLE: 'is_discoverable' } as const

export const allOf = (conditions: readonly Condition[]): Condition => sql`${sql.join([...conditions], sql` and `)}`

/** Whether the search names its listings, which are then looked up. */
export const isNamed = ({ skus, asins, fnSkus, relatedTo }: Search) => Boolean(skus ?? asins ?? fnSkus ?? relatedTo)

/** The ranges that contain all listings of a search that does not name them. */
export function rangesOf(search: Search, by: SortColumn): Range[] {
  const time = { sku: [], created_at: created(search, 'listings'), updated_at: updated(search, 'listings') }
  const isBySeverity = by === 'updated_at' && search.severities.length > 0
  const tests = [
    ...(by === 'created_at' ? [] : created(search, 'listings')),
    ...(by === 'updated_at' ? [] : updated(search, 'listings')),
    ...(isBySeverity ? [] : severity(search, 'listings')),
    ...status(search, 'listings'),
    ...firstOfSku(search),
  ]
  // A repeated value would repeat its listings.
  return [...new Set(search.marketplaceIds)].flatMap((marketplaceId): Range[] => {
    const bounds = [
      sql<SqlBool>`listings.seller_id = ${search.sellerId}`,
      sql<SqlBool>`listings.marketplace_id = ${marketplaceId}`,
      ...time[by],
    ]
    if (!isBySeverity) return [{ bounds, tests }]
    // Listings with issues have indexes of their own. Those with both severities are in both.
    const [first, second] = [...new Set(search.severities)].map((one) => hasSeverity('listings', one))
    const ranges = first ? [{ bounds: [...bounds, first], tests }] : []
    if (first && second) ranges.push({ bounds: [...bounds, second], tests: [...tests, sql`not ${first}`] })
    return ranges
  })
}

/** The conditions that select the listings that a search names, each with an index. */
export const namedConditions = (search: Search): Condition[] => [
  ...own(search, 'listings'),
  ...named(search, 'listings'),
]

/** The conditions that those have to satisfy besides. */
export const otherConditions = (search: Search): Condition[] => [...filters(search, 'listings'), ...firstOfSku(search)]

type Alias = 'listings' | 'others'
const column = (table: Alias, name: string) => sql.ref(`${table}.${name}`)
const isIn = (table: Alias, name: string, values: readonly string[]): Condition =>
  sql`${column(table, name)} in (${sql.join(values)})`

const own = ({ sellerId, marketplaceIds }: Search, table: Alias): Condition[] => [
  sql`${column(table, 'seller_id')} = ${sellerId}`,
  isIn(table, 'marketplace_id', marketplaceIds),
]

function named({ skus, asins, fnSkus, relatedTo, ...search }: Search, table: Alias): Condition[] {
  const conditions: Condition[] = []
  if (skus) conditions.push(isIn(table, 'sku', skus))
  // SQL has no empty lists; no listing has an empty ASIN.
  if (asins) conditions.push(isIn(table, 'asin', asins.length > 0 ? asins : ['']))
  if (fnSkus) conditions.push(isIn(table, 'fn_sku', fnSkus))
  if (relatedTo) {
    const { relation, sku } = relatedTo
    const skusOf = (end: 'parent_sku' | 'child_sku', other: 'parent_sku' | 'child_sku') => sql`
      select marketplace_id, ${sql.ref(end)} from listing_relations where seller_id = ${search.sellerId}
      and marketplace_id in (${sql.join(search.marketplaceIds)}) and relation = ${relation} and ${sql.ref(other)} = ${sku}`
    const children = skusOf('child_sku', 'parent_sku')
    const related =
      relation === 'VARIATION' ? children : sql`${children} union all ${skusOf('parent_sku', 'child_sku')}`
    conditions.push(sql`(${column(table, 'marketplace_id')}, ${column(table, 'sku')}) in (${related})`)
  }
  return conditions
}

const filters = (search: Search, table: Alias): Condition[] => [
  ...created(search, table),
  ...updated(search, table),
  ...severity(search, table),
  ...status(search, table),
]

const created = ({ createdAfter, createdBefore }: Search, table: Alias) =>
  within(table, 'created_at', createdAfter, createdBefore)
const updated = ({ updatedAfter, updatedBefore }: Search, table: Alias) =>
  within(table, 'updated_at', updatedAfter, updatedBefore)

const within = (table: Alias, name: string, from: string | undefined, to: string | undefined): Condition[] => [
  ...(from ? [sql<SqlBool>`${column(table, name)} >= ${from}`] : []),
  ...(to ? [sql<SqlBool>`${column(table, name)} <= ${to}`] : []),
]

const hasSeverity = (table: Alias, severity: 'WARNING' | 'ERROR'): Condition =>
  sql`${column(table, severity === 'ERROR' ? 'has_errors' : 'has_warnings')} = 1`

const severity = ({ severities }: Search, table: Alias): Condition[] =>
  severities.length === 0
    ? []
    : [
        sql`(${sql.join(
          severities.map((one) => hasSeverity(table, one)),
          sql` or `,
        )})`,
      ]

const status = ({ withStatus, withoutStatus }: Search, table: Alias): Condition[] => [
  ...withStatus.map((one) => sql<SqlBool>`${column(table, flags[one])} = 1`),
  ...withoutStatus.map((one) => sql<SqlBool>`${column(table, flags[one])} = 0`),
]

/** A SKU in several marketplaces is one item, at the position of its first matching listing. */
function firstOfSku(search: Search): Condition[] {
  if (search.marketplaceIds.length < 2) return []
  const isOther = allOf([...own(search, 'others'), ...named(search, 'others'), ...filters(search, 'others')])
  return [
    sql`not exists (select 1 from listings as others where others.sku = listings.sku
      and others.marketplace_id < listings.marketplace_id and ${isOther})`,
  ]
}
