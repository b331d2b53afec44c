import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { MarketplaceId, QueryList } from '../marketplace/schema.ts'
import { isBefore } from '../platform/database/tuples.ts'
import { invalidParameter } from '../platform/errors/api-error.ts'
import { type Explain, withFields, withoutFields } from '../platform/errors/explanation.ts'
import { decodePageToken, type Page, toPage } from '../platform/paging.ts'
import { parseTimestamp } from '../platform/timestamps.ts'
import { oldestRetained, PROCESSING_STATUSES, type ProcessingStatus } from './status.ts'

const DateTime = Type.String({ format: 'date-time' })
/** Maximum number of types or marketplaces in a filter. */
const MAX_VALUES = 10

/** The query parameters of reports and feeds lists besides their types. */
export const listParameters = {
  processingStatuses: Type.Optional(QueryList(Type.Enum(PROCESSING_STATUSES), { minItems: 1 })),
  marketplaceIds: Type.Optional(QueryList(MarketplaceId, { minItems: 1, maxItems: MAX_VALUES })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  createdSince: Type.Optional(DateTime),
  createdUntil: Type.Optional(DateTime),
  nextToken: Type.Optional(
    Type.String({ maxLength: 4000, description: 'From the previous page. Cannot be combined with other parameters' }),
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
  /** The last item of the previous page. */
  before?: readonly [createdAt: string, id: string]
}

const DEFAULT_PAGE_SIZE = 10
/** A process whose clock is behind also lists what another one has just created. */
const NO_END = new Date('9999-12-31T23:59:59.999Z')
const TOKEN_PARTS = 8

export interface ListTypes {
  parameter: string
  names: readonly string[] | undefined
  /** A type that exists. */
  example: string
}

export function parseListQuery(query: ListQuery, types: ListTypes, now: Date): ListRequest {
  const { nextToken, ...filters } = query
  const floor = oldestRetained(now)
  // Expired rows may not be swept yet.
  const clampToRetention = (time: Date) => (time < floor ? floor : time)
  if (nextToken !== undefined) {
    const given = { [types.parameter]: types.names, ...filters }
    const known = [types.parameter, ...Object.keys(listParameters)]
    const other = known.find((name) => given[name as keyof typeof given] !== undefined)
    if (other !== undefined)
      throw invalidParameter(
        other,
        'cannot be combined with nextToken',
        withoutFields(...known.filter((name) => name !== 'nextToken')),
      )
    const page = parsePageToken(nextToken, types)
    return { ...page, filter: { ...page.filter, since: clampToRetention(page.filter.since) } }
  }
  if (!types.names) {
    throw invalidParameter(
      types.parameter,
      'or nextToken is required',
      withFields({ [types.parameter]: types.example }),
    )
  }
  const since = filters.createdSince === undefined ? floor : parseTimestamp(filters.createdSince)
  const until = filters.createdUntil === undefined ? NO_END : endOfSecond(parseTimestamp(filters.createdUntil))
  if (since > until) {
    const explain = withFields({ createdSince: filters.createdUntil ?? until.toISOString() })
    throw invalidParameter('createdSince', 'must not be after createdUntil', explain)
  }
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

/** Responses have times in whole seconds, so the end of a period includes what was created in its second. */
const endOfSecond = (time: Date) => new Date(Math.floor(time.getTime() / 1000) * 1000 + 999)

/** Expects one row more than the page size if there are more, newest first. */
export function toListPage<Item extends { createdAt: Date }>(
  rows: readonly Item[],
  { filter, pageSize }: ListRequest,
  idOf: (item: Item) => string,
): Page<Item> {
  // The token contains the filter, because the next request sends only the token.
  return toPage(rows, pageSize, (last) => [
    filter.types.join(','),
    filter.statuses.join(','),
    filter.marketplaceIds.join(','),
    filter.since.toISOString(),
    filter.until.toISOString(),
    String(pageSize),
    last.createdAt.toISOString(),
    idOf(last),
  ])
}

/** The conditions of a list apart from the seller's id. */
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
    // Ids consist of letters and digits, so a quoted id matches no other.
    const matches = filter.marketplaceIds.map((id) => sql`marketplace_ids like ${`%"${id}"%`}`)
    conditions.push(sql`(${sql.join(matches, sql` or `)})`)
  }
  if (before) conditions.push(sql`${isBefore(['created_at', columns.id], before)}`)
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

function parsePageToken(token: string, { parameter, example }: ListTypes): ListRequest {
  const fromFirstPage: Explain = () => ({
    facts: { nextToken: token },
    change: { fields: { nextToken: null, [parameter]: example } },
  })
  const [types = '', statuses = '', marketplaces = '', since = '', until = '', size = '', createdAt = '', id = ''] =
    decodePageToken(token, TOKEN_PARTS, fromFirstPage)
  const pageSize = Number(size)
  const filter: ListFilter = {
    types: list(types),
    statuses: list(statuses),
    marketplaceIds: list(marketplaces),
    since: new Date(since),
    until: new Date(until),
  }
  // A token can be forged, so it is validated like a query.
  const isValid =
    filter.types.length > 0 &&
    filter.types.length <= MAX_VALUES &&
    filter.statuses.every((status) => PROCESSING_STATUSES.includes(status as ProcessingStatus)) &&
    filter.marketplaceIds.length <= MAX_VALUES &&
    filter.marketplaceIds.every((id) => /^[A-Z0-9]+$/.test(id)) &&
    Number.isInteger(pageSize) &&
    pageSize >= 1 &&
    pageSize <= 100 &&
    !Number.isNaN(filter.since.getTime()) &&
    !Number.isNaN(filter.until.getTime())
  if (!isValid) throw invalidParameter('nextToken', 'is invalid: it was not issued by this service', fromFirstPage)
  return { filter, pageSize, before: [createdAt, id] }
}

const list = (text: string) => (text === '' ? [] : text.split(','))
