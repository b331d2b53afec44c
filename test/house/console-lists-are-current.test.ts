import { expect, test } from 'vitest'
import { FEED_TYPES } from '../../console/src/api/feed-types.ts'
import { NOTIFICATION_TYPES } from '../../console/src/api/notification-types.ts'
import { REPORT_TYPES } from '../../console/src/api/report-types.ts'
import { PERIODS } from '../../console/src/pages/reports/periods.ts'
import { feedTypes, RETIRED_FEEDS } from '../../src/areas/feeds/feed-types.ts'
import { notificationTypes } from '../../src/areas/notifications/notification-types.ts'
import { PERIODS as SERVED_PERIODS } from '../../src/areas/reports/period.ts'
import { reportTypes } from '../../src/areas/reports/types/index.ts'

const FORMATS: Record<string, string> = { 'text/xml': 'XML', 'text/plain': 'TSV', 'application/json': 'JSON' }

test('the console offers every report type, with its format and default period', () => {
  const served = [...reportTypes.values()].map(({ name, contentType, defaultDays, restricted }) => ({
    name,
    format: FORMATS[contentType.split(';')[0] as string],
    defaultDays,
    hasPersonalData: restricted,
  }))
  const offered = REPORT_TYPES.map(({ name, format, defaultDays, hasPersonalData }) => ({
    name,
    format,
    defaultDays,
    hasPersonalData,
  }))
  expect(offered).toEqual(served)
})

test('the console offers every period of a report schedule', () => {
  expect(Object.keys(PERIODS)).toEqual(SERVED_PERIODS)
})

test('the console offers every feed type, and marks those that are retired', () => {
  expect(FEED_TYPES.map(({ name }) => name)).toEqual([...feedTypes.keys()])
  expect(FEED_TYPES.filter(({ isRetired }) => isRetired).map(({ name }) => name)).toEqual([...RETIRED_FEEDS])
})

test('the console offers every notification type for sellers, with its destination, versions and filters', () => {
  const served = [...notificationTypes.values()].filter(({ isAboutApplication }) => !isAboutApplication)
  const factsOf = (type: (typeof served)[number] | (typeof NOTIFICATION_TYPES)[number]) => ({
    name: type.name,
    transport: type.transport,
    payloadVersions: type.payloadVersions,
    supportsExpressions: type.supportsExpressions,
    hasEventFilter: type.eventFilter !== undefined,
  })
  expect(NOTIFICATION_TYPES.map(factsOf)).toEqual(served.map(factsOf))
})
