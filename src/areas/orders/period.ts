import { SETTLING_MILLISECONDS } from '../../marketplace/settling-time.ts'
import type { OrderFilter } from '../../marketplace/trade/order-search.ts'
import { invalidInput, invalidParameter } from '../../platform/errors/api-error.ts'
import { withFields, withoutFields } from '../../platform/errors/explanation.ts'
import { parseTimestamp } from '../../platform/timestamps.ts'

const MAX_AGE_YEARS = 2

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
  throw invalidInput(createdAfter, details, withFields(missingPeriod(query, names, now)))
}

/** What a query without a token needs, if it is not there. */
export const missingPeriod = <Name extends string>(
  query: PeriodQuery<Name>,
  { createdAfter, updatedAfter }: PeriodNames<Name>,
  now: Date,
): Record<string, string> =>
  query[createdAfter] === undefined && query[updatedAfter] === undefined
    ? { [createdAfter]: newestOrderTime(now).toISOString() }
    : {}

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
      const explain = () => ({ facts: { [name]: time, newest }, ...withFields({ [name]: newest.toISOString() })() })
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
