/** The landed price that was featured from a day on, until the next entry; null while there was none. */
export type Closing = readonly [day: number, landedMinor: number | null]

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
export const RETENTION_DAYS = 90

/** Days are counted from 1970 on, in UTC. */
export const dayOf = (time: Date): number => Math.floor(time.getTime() / DAY_MILLISECONDS)

/**
 * The history with what is featured today. A day closes at the price that it had last. Only changes are kept, and of
 * what lies before the days that are looked back on no more than the price with which they begin: so a history has
 * 91 entries at most, however often a price changes.
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
 * The median of the prices at which the last 90 days before today closed, today not included; of an even number the
 * lower of the two in the middle. Days on which nothing was featured do not count.
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
