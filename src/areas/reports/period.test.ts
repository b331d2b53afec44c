import { describe, expect, test } from 'vitest'
import { addPeriods, adjacentRuns, firstRunToCatchUp, PERIODS, type Period } from './period.ts'

const START = new Date('2026-03-10T08:30:15.250Z')
const MINUTE = 60 * 1000

// Months differ in length.
const minutes: Record<Exclude<Period, 'P1M'>, number> = {
  PT5M: 5,
  PT15M: 15,
  PT30M: 30,
  PT1H: 60,
  PT2H: 120,
  PT4H: 240,
  PT8H: 480,
  PT12H: 720,
  P1D: 1440,
  P2D: 2880,
  P3D: 4320,
  PT84H: 5040,
  P7D: 10_080,
  P14D: 20_160,
  P15D: 21_600,
  P18D: 25_920,
  P30D: 43_200,
}

describe('addPeriods', () => {
  test.each(Object.entries(minutes) as [Period, number][])(
    'by %s moves %d minutes forward or back',
    (period, length) => {
      const moved = (count: number) => addPeriods(START, period, count).getTime() - START.getTime()
      expect([1, 3, -1, -100, 0].map(moved)).toEqual([1, 3, -1, -100, 0].map((count) => count * length * MINUTE))
    },
  )

  test('is tested with every period', () => {
    expect([...PERIODS].sort()).toEqual([...Object.keys(minutes), 'P1M'].sort())
  })

  test.each([
    ['to the same day and time of the next', '2026-03-10T08:30:15.250Z', 1, '2026-04-10T08:30:15.250Z'],
    ['over the end of a year', '2026-12-15T00:00:00.000Z', 1, '2027-01-15T00:00:00.000Z'],
    ['back over the beginning of a year', '2026-01-15T00:00:00.000Z', -1, '2025-12-15T00:00:00.000Z'],
    ['over several years', '2026-05-05T12:00:00.000Z', 30, '2028-11-05T12:00:00.000Z'],
    ['back over several years', '2026-05-05T12:00:00.000Z', -30, '2023-11-05T12:00:00.000Z'],
    ['from the 31st to the last day of February', '2026-01-31T23:59:59.999Z', 1, '2026-02-28T23:59:59.999Z'],
    ['to the 29th of February in a leap year', '2028-01-31T10:00:00.000Z', 1, '2028-02-29T10:00:00.000Z'],
    ['to the 28th in a century without one', '2100-01-30T10:00:00.000Z', 1, '2100-02-28T10:00:00.000Z'],
    ['from the 31st to the 30th', '2026-08-31T10:00:00.000Z', 1, '2026-09-30T10:00:00.000Z'],
    ['from the 31st of December to that of January', '2026-12-31T10:00:00.000Z', 1, '2027-01-31T10:00:00.000Z'],
    ['back from the 31st to the last of February', '2026-03-31T10:00:00.000Z', -1, '2026-02-28T10:00:00.000Z'],
    ['from the leap day to the 28th a year later', '2028-02-29T10:00:00.000Z', 12, '2029-02-28T10:00:00.000Z'],
    ['nowhere for zero months', '2026-01-31T10:00:00.000Z', 0, '2026-01-31T10:00:00.000Z'],
  ])('by months moves %s', (_where, from, count, to) => {
    expect(addPeriods(new Date(from), 'P1M', count).toISOString()).toBe(to)
  })

  test('does not modify its argument', () => {
    const time = new Date(START)
    addPeriods(time, 'P1M', 1)
    expect(time).toEqual(START)
  })
})

describe('the previous and next times of a schedule', () => {
  test.each<[string, Period, string, string, string, string]>([
    ['are a day away', 'P1D', '2026-01-31', '2026-03-01', '2026-02-28', '2026-03-02'],
    ['are a month away', 'P1M', '2026-01-15', '2026-06-15', '2026-05-15', '2026-07-15'],
    ['are on the 31st before and after February', 'P1M', '2025-12-31', '2026-02-28', '2026-01-31', '2026-03-31'],
    ['are on the leap day of a leap year', 'P1M', '2027-10-29', '2028-01-29', '2027-12-29', '2028-02-29'],
    ['are over the end of the year', 'P1M', '2026-08-31', '2026-12-31', '2026-11-30', '2027-01-31'],
    ['are a month away from the first of them too', 'P1M', '2026-03-31', '2026-03-31', '2026-02-28', '2026-04-30'],
  ])('%s', (_where, period, firstAt, due, previous, next) => {
    const schedule = { firstAt: new Date(firstAt), period }
    expect(adjacentRuns(new Date(due), schedule)).toEqual({ previous: new Date(previous), next: new Date(next) })
  })
})

describe('the first time of a schedule that gets a report', () => {
  test.each<[string, Period, number]>([
    ['has just passed', 'PT5M', 0],
    ['is three periods behind', 'P1D', 3],
    ['is a hundred periods behind', 'PT1H', 100],
    ['is a hundred months behind', 'P1M', 100],
  ])('is the due time when it %s', (_what, period, periodsBehind) => {
    expect(firstRunToCatchUp(START, period, addPeriods(START, period, periodsBehind))).toEqual(START)
  })

  test.each<Period>(['PT5M', 'PT84H', 'P30D', 'P1M'])(
    'is the hundredth before now when a thousand of %s were missed',
    (period) => {
      // A second after the thousandth, so that the result does not depend on the exact time.
      const now = new Date(addPeriods(START, period, 1000).getTime() + 1000)
      expect(firstRunToCatchUp(START, period, now)).toEqual(addPeriods(START, period, 901))
    },
  )
})
