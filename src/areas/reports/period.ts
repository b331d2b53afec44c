const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How often a schedule makes a report. A month is as long as the calendar has it. */
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

// A service that was down for long makes up for this many reports of a schedule, and leaves the ones before out.
const MAX_CATCH_UP_REPORTS = 100

/** The same moment so many periods later, or earlier. */
export function addPeriods(moment: Date, period: Period, count: number): Date {
  const length = lengths[period]
  return length === 'month' ? addMonths(moment, count) : new Date(moment.getTime() + count * length)
}

// The day stays within the month: a month after January 31st is the last day of February.
function addMonths(moment: Date, count: number): Date {
  const shifted = new Date(moment)
  shifted.setUTCDate(1)
  shifted.setUTCMonth(shifted.getUTCMonth() + count)
  const lastDay = new Date(Date.UTC(shifted.getUTCFullYear(), shifted.getUTCMonth() + 1, 0)).getUTCDate()
  shifted.setUTCDate(Math.min(moment.getUTCDate(), lastDay))
  return shifted
}

/**
 * The moments of a schedule before and after one of them. Counted from its first: a schedule that begins on a 31st is
 * back on it after February.
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

/** The first moment of the schedule that is still worth a report: `due` itself, unless it lies far back. */
export function firstRunToCatchUp(due: Date, period: Period, now: Date): Date {
  const oldest = addPeriods(now, period, -MAX_CATCH_UP_REPORTS)
  if (due >= oldest) return due
  const length = lengths[period] === 'month' ? 28 * DAY : lengths[period]
  let moment = addPeriods(due, period, Math.floor((oldest.getTime() - due.getTime()) / length))
  while (moment > oldest) moment = addPeriods(moment, period, -1)
  while (moment < oldest) moment = addPeriods(moment, period, 1)
  return moment
}
