import { expect, test } from 'vitest'
import { incidentsFor } from './concerned.ts'
import type { Call } from './pass.ts'

const chosenFor = (...operations: string[]) =>
  incidentsFor({ calls: operations.map((operation) => ({ operation }) as Call) })

test.each([
  ['storage-slow-down', ['getReportDocument', 'downloadDocument'], ['getReport', 'getReportDocument']],
  ['storage-slow-down', ['createFeedDocument', 'uploadDocument'], ['createFeedDocument', 'getOrders']],
  ['stuck-feed', ['createFeed'], ['getFeed', 'createReport']],
  ['notifications-cease', ['createSubscription'], ['getSubscription']],
  ['lost-answer', ['confirmShipment'], ['getOrders']],
  ['quota-under-quota', ['getOrders'], []],
])('%s is run for a command that calls %j, and not for %j', (incident, concerned, others) => {
  expect(chosenFor(...concerned)).toContain(incident)
  expect(chosenFor(...others)).not.toContain(incident)
})
