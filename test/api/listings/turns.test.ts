import { expect, test } from 'vitest'
import { queryBuilder } from '../../../src/platform/database/query.ts'
import { findDueJobs } from '../../../src/platform/jobs/fair-claims.ts'
import type { JobTables } from '../../../src/platform/jobs/tables.ts'
import { IN_US, listingsClient, newShoe, startWatchedListings } from '../../support/listings.ts'
import { ReportsClient } from '../../support/reports.ts'

const db = queryBuilder<JobTables>()

test("a seller's listing waits for one listing of another seller and one of its own reports, not for all", async () => {
  const { souk, listings, database } = await startWatchedListings({ delay: 1000 })
  const { otherSeller } = souk.demo
  const other = listingsClient(souk, await souk.tokenFor(otherSeller.refreshToken), otherSeller.sellerId)
  const reports = new ReportsClient(souk)
  for (let number = 0; number < 3; number++) await reports.createReport()
  for (let number = 0; number < 10; number++) await other.put(`MANY-${number}`, newShoe(), IN_US)
  // Submitted last, so it is last in the order of time.
  await souk.clock.advance(1)
  await listings.put('ONE', newShoe(), IN_US)
  const now = new Date(souk.clock.now().getTime() + 2000)
  const kinds = ['processReport', 'processListing']
  const payloads = await database.transact(async (tx) => {
    const next = await findDueJobs(tx, { now, limit: 3, kinds, except: [] })
    return tx.all(db.selectFrom('jobs').select('payload').where('job_id', 'in', next))
  })
  expect(payloads.filter(({ payload }) => JSON.parse(payload).sku === 'ONE')).toHaveLength(1)
})
