import { type RawBuilder, sql } from 'kysely'
import { mergeRanges } from '../../../platform/database/merge-ranges.ts'
import type { Reader } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isAfter, isBefore } from '../../../platform/database/tuples.ts'
import {
  allOf,
  type Condition,
  isNamed,
  namedConditions,
  otherConditions,
  type Range,
  rangesOf,
  type Search,
  type SortColumn,
} from './search-conditions.ts'

const db = queryBuilder<Record<never, never>>()

export interface Sorting {
  by: SortColumn
  descending: boolean
}

/** The place of a listing in the order of a search. */
export interface ResultKey {
  value: string
  sku: string
}

/** A page starts after, or ends before, this place. */
export interface Position extends ResultKey {
  direction: 'next' | 'previous'
}

export interface FoundPage {
  /** In the order of the search, whatever the direction. */
  items: ResultKey[]
  /** Where the search stopped, if it has tested as many listings as it may before it found enough. */
  stoppedAt?: ResultKey | undefined
}

/** The live service neither pages nor counts beyond this. */
export const MAX_RESULTS = 1000

// Filters without an index are tested on this many listings per page. A page can then have fewer items than it might.
const MAX_TESTED_LISTINGS = 10_000
// Most filters are satisfied by many listings.
const FIRST_STEP = 100

interface TestedKey extends ResultKey {
  is_match: number
}

/**
 * Finds the SKUs of a page. Reads indexes from the start of the page, so deep pages cost no more than the first, and the
 * pages of a seller with many listings no more than those of others.
 */
export async function findPage(
  reader: Reader,
  search: Search,
  { by, descending }: Sorting,
  limit: number,
  position?: Position,
): Promise<FoundPage> {
  const isBackward = position?.direction === 'previous'
  const sorting = { by, descending: descending !== isBackward }
  const { items, stoppedAt } = isNamed(search)
    ? { items: await findInOrder(reader, [namedKeys(search, sorting, position)], sorting, limit), stoppedAt: undefined }
    : await findInSteps(reader, search, sorting, limit, position)
  return { items: isBackward ? items.reverse() : items, stoppedAt }
}

async function findInSteps(
  reader: Reader,
  search: Search,
  sorting: Sorting,
  limit: number,
  start: ResultKey | undefined,
): Promise<FoundPage> {
  const items: ResultKey[] = []
  const ranges = rangesOf(search, sorting.by)
  const isTested = ranges.some(({ tests }) => tests.length > 0)
  let size = isTested ? FIRST_STEP : limit
  let after = start
  for (let tested = 0; tested < MAX_TESTED_LISTINGS; size = Math.min(size * 10, MAX_TESTED_LISTINGS - tested)) {
    const rows = await findInOrder(reader, testedKeys(ranges, sorting, after), sorting, size)
    const isEnd = rows.length < size
    // The next step begins after a key, so this one must not end between the listings of several ranges with that key.
    const whole = isEnd || ranges.length === 1 ? rows : withoutLastKey(rows)
    items.push(...whole.filter(({ is_match }) => is_match === 1))
    if (isEnd || items.length >= limit) return { items: items.slice(0, limit) }
    tested += rows.length
    after = whole.at(-1)
  }
  return { items, stoppedAt: after }
}

function withoutLastKey(rows: readonly TestedKey[]): readonly TestedKey[] {
  const last = rows.at(-1)
  const start = rows.findIndex(({ value, sku }) => value === last?.value && sku === last.sku)
  // Never all of them: a key has fewer listings than the smallest step.
  return rows.slice(0, start)
}

/** Counts matching items up to MAX_RESULTS, among as many listings as may be tested. */
export async function countMatches(reader: Reader, search: Search, sorting: Sorting): Promise<number> {
  const tested = isNamed(search)
    ? namedKeys(search, sorting)
    : mergeRanges(reader.dialect, testedKeys(rangesOf(search, sorting.by), sorting), {
        order: orderOf(sorting),
        limit: MAX_TESTED_LISTINGS,
      })
  const matches = sql`(select sku from (${tested}) as tested where is_match = 1 limit ${MAX_RESULTS})`
  const counted = await reader.first(
    db.selectFrom(matches.as('matches')).select(sql<number>`cast(count(*) as bigint)`.as('matches')),
  )
  return counted?.matches ?? 0
}

const orderOf = ({ descending }: Sorting) => (descending ? sql`value desc, sku desc` : sql`value, sku`)

function findInOrder(reader: Reader, keys: readonly Keys[], sorting: Sorting, limit: number): Promise<TestedKey[]> {
  const order = orderOf(sorting)
  const found = sql<TestedKey>`(${mergeRanges(reader.dialect, keys, { order, limit })})`
  return reader.all(db.selectFrom(found.as('found')).selectAll().orderBy(order))
}

type Keys = RawBuilder<unknown>

const testedKeys = (ranges: readonly Range[], sorting: Sorting, after?: ResultKey): Keys[] =>
  ranges.map(({ bounds, tests }) => {
    const isMatch = tests.length === 0 ? sql`1` : sql`case when ${allOf(tests)} then 1 else 0 end`
    const { value, comesAfter } = columnsOf(sorting, after)
    return sql`select ${value} as value, listings.sku as sku, ${isMatch} as is_match from listings
        where ${allOf([...bounds, ...comesAfter])}`
  })

/** A subquery, so that SQLite looks the names up rather than read all listings in the order of the search. */
function namedKeys(search: Search, sorting: Sorting, after?: ResultKey): Keys {
  const { value, comesAfter } = columnsOf(sorting, after)
  const conditions = [...otherConditions(search), ...comesAfter]
  return sql`select ${value} as value, listings.sku as sku, 1 as is_match from (
      select sku, marketplace_id, is_buyable, is_discoverable, has_errors, has_warnings, created_at, updated_at
      from listings where ${allOf(namedConditions(search))} limit ${MAX_TESTED_LISTINGS}
    ) as listings ${conditions.length > 0 ? sql`where ${allOf(conditions)}` : sql``}`
}

function columnsOf({ by, descending }: Sorting, after: ResultKey | undefined) {
  const columns = by === 'sku' ? ['listings.sku'] : [`listings.${by}`, 'listings.sku']
  const comesAfter: Condition[] = []
  if (after) {
    const values = by === 'sku' ? [after.sku] : [after.value, after.sku]
    comesAfter.push(descending ? isBefore(columns, values) : isAfter(columns, values))
  }
  return { value: sql.ref(`listings.${by}`), comesAfter }
}
