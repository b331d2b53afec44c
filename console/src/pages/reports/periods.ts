/** How often a schedule creates a report, as createReportSchedule names it. */
export const PERIODS = {
  PT5M: '5 minutes',
  PT15M: '15 minutes',
  PT30M: '30 minutes',
  PT1H: 'hour',
  PT2H: '2 hours',
  PT4H: '4 hours',
  PT8H: '8 hours',
  PT12H: '12 hours',
  P1D: 'day',
  P2D: '2 days',
  P3D: '3 days',
  PT84H: '84 hours',
  P7D: '7 days',
  P14D: '14 days',
  P15D: '15 days',
  P18D: '18 days',
  P30D: '30 days',
  P1M: 'month',
} as const

export type Period = keyof typeof PERIODS

export const isPeriod = (text: string | null): text is Period => text !== null && text in PERIODS

export const describePeriod = (period: Period): string => `Every ${PERIODS[period]}`
