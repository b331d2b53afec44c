/** The featured landed price from a day until the next entry. Null if no offer was featured. */
export type Closing = readonly [day: number, landedMinor: number | null]

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
export const RETENTION_DAYS = 90

/** Days since 1970, in UTC. */
export const dayOf = (time: Date): number => Math.floor(time.getTime() / DAY_MILLISECONDS)

/** The beginning of a day. */
export const timeOfDay = (day: number): Date => new Date(day * DAY_MILLISECONDS)

/** The closing price of each of the last 90 days and of today, from the first that is known. */
export function dailyClosings(history: readonly Closing[], today: number): Closing[] {
  const [first] = history
  if (!first) return []
  const from = Math.max(first[0], today - RETENTION_DAYS)
  let index = history.findLastIndex(([day]) => day <= from)
  return Array.from({ length: Math.max(0, today - from + 1) }, (_, offset): Closing => {
    const day = from + offset
    const next = history[index + 1]
    if (next && next[0] <= day) index++
    return [day, (history[index] as Closing)[1]]
  })
}

/**
 * Adds today's featured price to a history. The last price of a day is its closing price. Stores only changes, and drops
 * entries before the last 90 days but the one in effect when they begin, so a history has 91 entries at most.
 */
export function recordClosing(history: readonly Closing[], today: number, landedMinor: number | null): Closing[] {
  const before = history.filter(([day]) => day < today)
  const firstKept = today - RETENTION_DAYS
  const start = before.findLastIndex(([day]) => day <= firstKept)
  const kept = start > 0 ? before.slice(start) : before
  const last = kept.at(-1)
  return last && last[1] === landedMinor ? kept : [...kept, [today, landedMinor]]
}

/**
 * Returns the median closing price of the 90 days before today. Of an even number of days, the lower middle one counts.
 * Days without a featured offer do not count.
 */
export function medianClosing(history: readonly Closing[], today: number): number | undefined {
  const spans = history.flatMap(([day, price], index) => {
    const from = Math.max(day, today - RETENTION_DAYS)
    const until = Math.min(history[index + 1]?.[0] ?? today, today)
    return price !== null && until > from ? [{ price, days: until - from }] : []
  })
  const days = spans.reduce((sum, span) => sum + span.days, 0)
  let left = Math.ceil(days / 2)
  for (const span of spans.sort((one, other) => one.price - other.price)) {
    left -= span.days
    if (left <= 0) return span.price
  }
  return undefined
}
