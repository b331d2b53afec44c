const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The periods of schedules. A month is a calendar month. */
const lengths = {
  PT5M: 5 * MINUTE,
  PT15M: 15 * MINUTE,
  PT30M: 30 * MINUTE,
  PT1H: HOUR,
  PT2H: 2 * HOUR,
  PT4H: 4 * HOUR,
  PT8H: 8 * HOUR,
  PT12H: 12 * HOUR,
  P1D: DAY,
  P2D: 2 * DAY,
  P3D: 3 * DAY,
  PT84H: 84 * HOUR,
  P7D: 7 * DAY,
  P14D: 14 * DAY,
  P15D: 15 * DAY,
  P18D: 18 * DAY,
  P30D: 30 * DAY,
  P1M: 'month',
} as const

export type Period = keyof typeof lengths
export const PERIODS = Object.keys(lengths) as Period[]

// After a long downtime, a schedule catches up on at most this many reports and skips older ones.
const MAX_CATCH_UP_REPORTS = 100

/** Adds periods to a time; a negative count subtracts. */
export function addPeriods(moment: Date, period: Period, count: number): Date {
  const length = lengths[period]
  return length === 'month' ? addMonths(moment, count) : new Date(moment.getTime() + count * length)
}

// The day stays within the month: one month after January 31 is the last day of February.
function addMonths(moment: Date, count: number): Date {
  const shifted = new Date(moment)
  shifted.setUTCDate(1)
  shifted.setUTCMonth(shifted.getUTCMonth() + count)
  const lastDay = new Date(Date.UTC(shifted.getUTCFullYear(), shifted.getUTCMonth() + 1, 0)).getUTCDate()
  shifted.setUTCDate(Math.min(moment.getUTCDate(), lastDay))
  return shifted
}

/**
 * Returns the runs of a schedule before and after a run. Computed from the first run, so that a schedule that starts on
 * the 31st returns to it after February.
 */
export function adjacentRuns(
  due: Date,
  { firstAt, period }: { firstAt: Date; period: Period },
): { previous: Date; next: Date } {
  if (lengths[period] !== 'month') return { previous: addPeriods(due, period, -1), next: addPeriods(due, period, 1) }
  const count = monthOf(due) - monthOf(firstAt)
  return { previous: addPeriods(firstAt, period, count - 1), next: addPeriods(firstAt, period, count + 1) }
}

const monthOf = (moment: Date) => moment.getUTCFullYear() * 12 + moment.getUTCMonth()

/** Returns `due`, or a later run if more runs were missed than a schedule catches up on. */
export function firstRunToCatchUp(due: Date, period: Period, now: Date): Date {
  const oldest = addPeriods(now, period, -MAX_CATCH_UP_REPORTS)
  if (due >= oldest) return due
  const length = lengths[period] === 'month' ? 28 * DAY : lengths[period]
  let moment = addPeriods(due, period, Math.floor((oldest.getTime() - due.getTime()) / length))
  while (moment > oldest) moment = addPeriods(moment, period, -1)
  while (moment < oldest) moment = addPeriods(moment, period, 1)
  return moment
}
