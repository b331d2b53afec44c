import { expect, test } from 'vitest'
import { queryBuilder } from '../../../src/platform/database/query.ts'
import { findDueJobs } from '../../../src/platform/jobs/fair-claims.ts'
import type { JobTables } from '../../../src/platform/jobs/tables.ts'
import { IN_US, listingsClient, newShoe, priceOf, startWatchedListings, US } from '../../support/listings.ts'
import { ReportsClient, SCHEDULES } from '../../support/reports.ts'

const db = queryBuilder<JobTables>()

test('price changes and reports of the future have their turns when they are due', async () => {
  const { souk, listings, database } = await startWatchedListings()
  const start = new Date(souk.clock.now().getTime() + 24 * 60 * 60 * 1000).toISOString()
  const discounted_price = [{ schedule: [{ start_at: start, end_at: '2099-01-01T00:00:00Z', value_with_tax: 1 }] }]
  const purchasable_offer = [{ currency: 'USD', our_price: priceOf(79.5), discounted_price }]
  expect((await listings.put('LATER', newShoe({ purchasable_offer }), IN_US)).json().status).toBe('ACCEPTED')
  const schedule = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [US], period: 'P1D' }
  expect((await new ReportsClient(souk).post(SCHEDULES, schedule)).statusCode).toBe(201)
  await souk.idle()
  const jobs = db.selectFrom('jobs').select(['kind', 'owner']).where('run_at', '>', souk.clock.now().toISOString())
  const owners = await database.read((reader) => reader.all(jobs.orderBy('kind').distinct()))
  const { sellerId } = souk.demo
  expect(owners.filter(({ kind }) => kind === 'processListing')).toEqual([
    { kind: 'processListing', owner: `${sellerId}/listings` },
  ])
  expect(owners.filter(({ kind }) => kind === 'fireReportSchedule')).toEqual([
    { kind: 'fireReportSchedule', owner: `${sellerId}/schedules` },
  ])
})

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
