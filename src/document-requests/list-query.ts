import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { MarketplaceId, QueryList } from '../marketplace/schema.ts'
import { isBefore } from '../platform/database/tuples.ts'
import { invalidParameter } from '../platform/errors/api-error.ts'
import { decodePageToken, encodePageToken } from '../platform/paging.ts'
import { parseTimestamp } from '../platform/timestamps.ts'
import { oldestRetained, PROCESSING_STATUSES, type ProcessingStatus } from './status.ts'

const DateTime = Type.String({ format: 'date-time' })
/** How many types or marketplaces a list is narrowed down by at most. */
const MAX_VALUES = 10

/** By what lists of reports and of feeds are narrowed down, besides their types. */
export const listParameters = {
  processingStatuses: Type.Optional(QueryList(Type.Enum(PROCESSING_STATUSES), { minItems: 1 })),
  marketplaceIds: Type.Optional(QueryList(MarketplaceId, { minItems: 1, maxItems: MAX_VALUES })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  createdSince: Type.Optional(DateTime),
  createdUntil: Type.Optional(DateTime),
  nextToken: Type.Optional(
    Type.String({ maxLength: 4000, description: 'From the page before; no other parameter then' }),
  ),
}
const ListQuery = Type.Object(listParameters)
type ListQuery = Static<typeof ListQuery>

export interface ListFilter {
  types: readonly string[]
  statuses: readonly string[]
  marketplaceIds: readonly string[]
  since: Date
  until: Date
}

export interface ListRequest {
  filter: ListFilter
  pageSize: number
  /** The last that was shown. */
  before?: readonly [createdAt: string, id: string]
}

const DEFAULT_PAGE_SIZE = 10
const TOKEN_PARTS = 8

/** What a list is asked for, by the query itself or by the token that another page gave. */
export function parseListQuery(
  query: ListQuery,
  types: { parameter: string; names: readonly string[] | undefined },
  now: Date,
): ListRequest {
  const { nextToken, ...filters } = query
  const floor = oldestRetained(now)
  // What is gone may not be swept yet.
  const clampToRetention = (moment: Date) => (moment < floor ? floor : moment)
  if (nextToken !== undefined) {
    const given = { [types.parameter]: types.names, ...filters }
    const known = [types.parameter, ...Object.keys(listParameters)]
    const other = known.find((name) => given[name as keyof typeof given] !== undefined)
    if (other !== undefined) throw invalidParameter(other, 'must not be there together with nextToken')
    const page = parsePageToken(nextToken)
    return { ...page, filter: { ...page.filter, since: clampToRetention(page.filter.since) } }
  }
  if (!types.names) throw invalidParameter(types.parameter, 'is required, or nextToken')
  const since = filters.createdSince === undefined ? floor : parseTimestamp(filters.createdSince)
  const until = filters.createdUntil === undefined ? now : parseTimestamp(filters.createdUntil)
  if (since > until) throw invalidParameter('createdSince', 'must not be after createdUntil')
  return {
    filter: {
      types: types.names,
      statuses: filters.processingStatuses ?? [],
      marketplaceIds: filters.marketplaceIds ?? [],
      since: clampToRetention(since),
      until,
    },
    pageSize: filters.pageSize ?? DEFAULT_PAGE_SIZE,
  }
}

/** A page of rows that were read with a limit of one more than the page holds, the newest first. */
export function toListPage<Item extends { createdAt: Date }>(
  rows: readonly Item[],
  { filter, pageSize }: ListRequest,
  idOf: (item: Item) => string,
): { items: Item[]; nextToken?: string } {
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  if (rows.length <= pageSize || !last) return { items }
  // The token says all that the first call said: the next one carries nothing else.
  const nextToken = encodePageToken([
    filter.types.join(','),
    filter.statuses.join(','),
    filter.marketplaceIds.join(','),
    filter.since.toISOString(),
    filter.until.toISOString(),
    String(pageSize),
    last.createdAt.toISOString(),
    idOf(last),
  ])
  return { items, nextToken }
}

/** The conditions of a list on a table that has these columns, besides the seller's. */
export function listConditions(
  { filter, before }: ListRequest,
  columns: { id: string; type: string },
): RawBuilder<SqlBool> {
  const isIn = (column: string, values: readonly string[]) => sql`${sql.ref(column)} in (${sql.join(values)})`
  const conditions: RawBuilder<unknown>[] = [
    isIn(columns.type, filter.types),
    sql`created_at >= ${filter.since.toISOString()}`,
    sql`created_at <= ${filter.until.toISOString()}`,
  ]
  if (filter.statuses.length > 0) conditions.push(isIn('status', filter.statuses))
  if (filter.marketplaceIds.length > 0) {
    // Ids are letters and digits, so a quoted one can stand for itself only.
    const named = filter.marketplaceIds.map((id) => sql`marketplace_ids like ${`%"${id}"%`}`)
    conditions.push(sql`(${sql.join(named, sql` or `)})`)
  }
  if (before) conditions.push(sql`${isBefore(['created_at', columns.id], before)}`)
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

function parsePageToken(token: string): ListRequest {
  const [types = '', statuses = '', places = '', since = '', until = '', size = '', createdAt = '', id = ''] =
    decodePageToken(token, TOKEN_PARTS)
  const pageSize = Number(size)
  const filter: ListFilter = {
    types: list(types),
    statuses: list(statuses),
    marketplaceIds: list(places),
    since: new Date(since),
    until: new Date(until),
  }
  // A token can be forged, so what it asks for has the limits that a query has.
  const isValid =
    filter.types.length > 0 &&
    filter.types.length <= MAX_VALUES &&
    filter.statuses.every((one) => PROCESSING_STATUSES.includes(one as ProcessingStatus)) &&
    filter.marketplaceIds.length <= MAX_VALUES &&
    filter.marketplaceIds.every((one) => /^[A-Z0-9]+$/.test(one)) &&
    Number.isInteger(pageSize) &&
    pageSize >= 1 &&
    pageSize <= 100 &&
    !Number.isNaN(filter.since.getTime()) &&
    !Number.isNaN(filter.until.getTime())
  if (!isValid) throw invalidParameter('nextToken', 'is not one that this service issued')
  return { filter, pageSize, before: [createdAt, id] }
}

const list = (text: string) => (text === '' ? [] : text.split(','))
