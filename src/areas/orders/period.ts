import { SETTLING_MILLISECONDS } from '../../marketplace/settling-time.ts'
import type { OrderFilter } from '../../marketplace/trade/order-search.ts'
import { invalidInput, invalidParameter } from '../../platform/errors/api-error.ts'
import { withFields, withoutFields } from '../../platform/errors/explanation.ts'
import { parseTimestamp } from '../../platform/timestamps.ts'

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
const MAX_AGE_YEARS = 2
/** How long before its end a proposed period begins. */
const PROPOSED_DAYS = 30

/** The four parameters that select a period, which both versions spell differently. */
export interface PeriodNames<Name extends string> {
  createdAfter: Name
  createdBefore: Name
  updatedAfter: Name
  updatedBefore: Name
}

type PeriodQuery<Name extends string> = { [Key in Name]?: string }

/** Orders that did not change for two years are no longer returned. */
export function oldestOrderTime(now: Date): Date {
  const oldest = new Date(now)
  oldest.setUTCFullYear(oldest.getUTCFullYear() - MAX_AGE_YEARS)
  return oldest
}

const newestOrderTime = (now: Date) => new Date(now.getTime() - SETTLING_MILLISECONDS)

/** A period that passes, with the end of the query if that is in the past. */
function proposePeriod<Name extends string>(query: PeriodQuery<Name>, after: Name, before: Name, now: Date) {
  const newest = newestOrderTime(now)
  const given = query[before] === undefined ? newest : parseTimestamp(query[before])
  const end = given > newest ? newest : given
  const start = Math.max(end.getTime() - PROPOSED_DAYS * DAY_MILLISECONDS, oldestOrderTime(now).getTime())
  return {
    // Before the oldest orders there are none, and a period of no length is as good as any.
    [after]: new Date(Math.min(start, end.getTime())).toISOString(),
    ...(given > newest && { [before]: newest.toISOString() }),
  }
}

/** Throws unless the query has exactly one of the two periods, in the past. */
export function parsePeriod<Name extends string>(
  query: PeriodQuery<Name>,
  names: PeriodNames<Name>,
  now: Date,
): Pick<OrderFilter, 'by' | 'from' | 'to'> {
  const { createdAfter, createdBefore, updatedAfter, updatedBefore } = names
  if (query[createdAfter] !== undefined) {
    refuseWith(query, [updatedAfter, updatedBefore], createdAfter)
    return { by: 'purchased_at', ...parseEnds(query, createdAfter, createdBefore, now) }
  }
  if (query[updatedAfter] !== undefined) {
    refuseWith(query, [createdBefore], updatedAfter)
    return { by: 'updated_at', ...parseEnds(query, updatedAfter, updatedBefore, now) }
  }
  const details = `${createdAfter} or ${updatedAfter} is required.`
  throw invalidInput(createdAfter, details, () => ({
    rule: `A search begins at a time: ${createdAfter} selects orders by when they were placed, ${updatedAfter} by when they last changed.`,
    facts: { [createdAfter]: null, [updatedAfter]: null },
    change: { fields: missingPeriod(query, names, now) },
  }))
}

/** What a query without a token needs, if it is not there. */
export function missingPeriod<Name extends string>(
  query: PeriodQuery<Name>,
  { createdAfter, createdBefore, updatedAfter, updatedBefore }: PeriodNames<Name>,
  now: Date,
): Record<string, string | null> {
  if (query[createdAfter] !== undefined || query[updatedAfter] !== undefined) return {}
  if (query[updatedBefore] === undefined) return proposePeriod(query, createdAfter, createdBefore, now)
  // An end belongs to the start of its own period.
  const contradicts = query[createdBefore] !== undefined
  return { ...proposePeriod(query, updatedAfter, updatedBefore, now), ...(contradicts && { [createdBefore]: null }) }
}

/** The period of a query that names its orders and leaves the period out: all that getOrder returns, too. */
export const anyPeriod = (now: Date): Pick<OrderFilter, 'by' | 'from' | 'to'> => ({
  by: 'updated_at',
  from: oldestOrderTime(now).toISOString(),
  to: now.toISOString(),
})

/** Refuses parameters that contradict another one. */
export function refuseWith<Name extends string>(
  query: { [Key in Name]?: unknown },
  names: readonly Name[],
  other: string,
): void {
  const given = names.find((name) => query[name] !== undefined)
  if (given !== undefined) throw invalidParameter(given, `cannot be combined with ${other}`, withoutFields(...names))
}

function parseEnds<Name extends string>(query: PeriodQuery<Name>, after: Name, before: Name, now: Date) {
  const newest = newestOrderTime(now)
  const parse = (name: Name) => {
    const time = parseTimestamp(query[name] as string)
    if (time > newest) {
      const explain = () => ({
        facts: { [name]: time, newest },
        change: {
          fields: name === after ? proposePeriod(query, after, before, now) : { [name]: newest.toISOString() },
        },
      })
      throw invalidParameter(name, 'must be at least two minutes in the past', explain)
    }
    return time
  }
  const from = parse(after)
  const to = query[before] === undefined ? newest : parse(before)
  if (from > to) throw invalidParameter(before, `must not be before ${after}`, withFields({ [before]: query[after] }))
  const oldest = oldestOrderTime(now)
  return { from: (from < oldest ? oldest : from).toISOString(), to: to.toISOString() }
}
