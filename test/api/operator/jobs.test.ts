import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/port.ts'
import { queryBuilder } from '../../../src/platform/database/query.ts'
import type { JobTables } from '../../../src/platform/jobs/tables.ts'
import { FeedsClient, finishedEvents, update } from '../../support/feeds.ts'
import { type ListingsClient, newShoe, priceOf, startWatchedListings } from '../../support/listings.ts'
import { DAY, download, MINUTE, ReportsClient, SECOND } from '../../support/reports.ts'
import { errorOf, type TestSouk } from '../../support/souk.ts'

const JOBS = '/operator/v1/jobs'

let folder: string
let souk: TestSouk
let database: Database
let listings: ListingsClient
let feeds: FeedsClient
let reports: ReportsClient

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'souk-jobs-'))
  ;({ souk, listings, database } = await startWatchedListings({ documents: folder }))
  feeds = new FeedsClient(souk)
  reports = new ReportsClient(souk)
})
afterEach(async () => {
  await souk.idle()
  rmSync(folder, { recursive: true, force: true })
})

const incoming = () => join(folder, '.incoming')
/** Makes every write of a document fail: a file takes the place of the upload folder. */
function blockDocuments(): void {
  if (existsSync(incoming())) renameSync(incoming(), `${incoming()}.away`)
  writeFileSync(incoming(), '')
}
function unblockDocuments(): void {
  rmSync(incoming())
  if (existsSync(`${incoming()}.away`)) renameSync(`${incoming()}.away`, incoming())
}
/** Waits until every failing job has been given up. */
async function exhaustRetries(): Promise<void> {
  for (let second = 0; second < 32; second++) {
    await souk.idle()
    souk.clock.advance(SECOND)
  }
  await souk.idle()
}

const send = (method: 'GET' | 'POST' | 'DELETE', path: string) => souk.send(method, path, { headers: souk.operator })
const jobsIn = async (state: string) => {
  const response = await send('GET', `${JOBS}?state=${state}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().jobs
}
const retry = (jobId: string) => send('POST', `${JOBS}/${jobId}/retry`)

describe('a report whose job was given up', () => {
  async function fatalReport() {
    blockDocuments()
    const reportId = await reports.created()
    await exhaustRetries()
    expect((await reports.report(reportId)).processingStatus).toBe('FATAL')
    return reportId
  }

  test('is listed with the reason, and is DONE after the operator retries it', async () => {
    const reportId = await fatalReport()
    const [job, ...others] = await jobsIn('GIVEN_UP')
    expect(others).toEqual([])
    expect(job).toMatchObject({
      kind: 'processReport',
      state: 'GIVEN_UP',
      reason: 'FAILURES',
      failures: 6,
      crashes: 0,
      lastError: expect.stringContaining('EEXIST'),
      payload: { reportId },
    })
    expect((await souk.get('/metrics')).body).toMatch(/^souk_jobs_given_up 1$/m)
    const response = await retry(job.jobId)
    expect([response.statusCode, response.json()]).toEqual([200, {}])
    expect(await reports.report(reportId)).not.toHaveProperty('processingEndTime')
    unblockDocuments()
    await souk.idle()
    // It may have failed once more before.
    souk.clock.advance(SECOND)
    await souk.idle()
    const report = await reports.report(reportId)
    expect(report.processingStatus).toBe('DONE')
    expect(await download(await reports.documentUrl(report.reportDocumentId))).toContain('<return_details>')
    expect(await jobsIn('GIVEN_UP')).toEqual([])
  })

  test('can be discarded, and stays FATAL', async () => {
    const reportId = await fatalReport()
    unblockDocuments()
    const [{ jobId }] = await jobsIn('GIVEN_UP')
    expect((await send('DELETE', `${JOBS}/${jobId}`)).statusCode).toBe(200)
    for (const response of [await send('DELETE', `${JOBS}/${jobId}`), await retry(jobId)]) {
      expect(errorOf(response)).toMatchObject({ status: 404, code: 'NotFound' })
    }
    await souk.idle()
    expect((await reports.report(reportId)).processingStatus).toBe('FATAL')
  })

  test('can be given up and retried again', async () => {
    const reportId = await fatalReport()
    await retry((await jobsIn('GIVEN_UP'))[0].jobId)
    await exhaustRetries()
    const again = await jobsIn('GIVEN_UP')
    expect(again).toMatchObject([{ payload: { reportId }, failures: 6 }])
    unblockDocuments()
    await retry(again[0].jobId)
    await souk.idle()
    expect((await reports.report(reportId)).processingStatus).toBe('DONE')
  })

  test('takes turns with those of other sellers when it is retried, as before', async () => {
    await fatalReport()
    await retry((await jobsIn('GIVEN_UP'))[0].jobId)
    const jobs = queryBuilder<JobTables>().selectFrom('jobs').select('owner').where('kind', '=', 'processReport')
    expect(await database.read((reader) => reader.all(jobs))).toEqual([{ owner: souk.demo.sellerId }])
    unblockDocuments()
  })

  test('is deleted after a month', async () => {
    await fatalReport()
    unblockDocuments()
    souk.clock.advance(29 * DAY)
    await souk.idle()
    expect(await jobsIn('GIVEN_UP')).toHaveLength(1)
    souk.clock.advance(DAY + 20 * MINUTE)
    await expect.poll(() => jobsIn('GIVEN_UP')).toEqual([])
  })
})

describe('a feed whose job was given up', () => {
  async function fatalFeed(sku: string) {
    const inputFeedDocumentId = await feeds.uploaded(feeds.document([update(sku, newShoe())]))
    blockDocuments()
    const { feedId } = (await feeds.createFeed({ inputFeedDocumentId })).json()
    await exhaustRetries()
    expect((await feeds.feed(feedId)).processingStatus).toBe('FATAL')
    return feedId as string
  }

  test('continues where it stopped when the operator retries it: each message counts once', async () => {
    const feedId = await fatalFeed('RETRIED')
    const before = await listings.read('RETRIED')
    const [job] = await jobsIn('GIVEN_UP')
    expect(job).toMatchObject({ kind: 'processFeed', payload: { feedId } })
    unblockDocuments()
    expect((await retry(job.jobId)).statusCode).toBe(200)
    await souk.idle()
    const feed = await feeds.feed(feedId)
    expect(feed.processingStatus).toBe('DONE')
    expect((await feeds.report(feed)).summary).toMatchObject({ messagesProcessed: 1, messagesAccepted: 1 })
    expect(await listings.read('RETRIED')).toEqual(before)
    expect(await jobsIn('GIVEN_UP')).toEqual([])
    const ends = (await finishedEvents(database)).get(feedId) ?? []
    expect(ends.map(({ payload }) => payload.feedProcessingFinishedNotification.processingStatus)).toEqual([
      'FATAL',
      'DONE',
    ])
  })

  test("waits for the seller's running feed", async () => {
    const feedId = await fatalFeed('WAITS')
    unblockDocuments()
    const inputFeedDocumentId = await feeds.uploaded(feeds.document([update('OTHER', newShoe())]))
    blockDocuments()
    const other: string = (await feeds.createFeed({ inputFeedDocumentId })).json().feedId
    await souk.idle()
    expect((await feeds.feed(other)).processingStatus).toBe('IN_PROGRESS')
    await retry((await jobsIn('GIVEN_UP'))[0].jobId)
    await souk.idle()
    expect((await feeds.feed(feedId)).processingStatus).toBe('IN_QUEUE')
    unblockDocuments()
    souk.clock.advance(MINUTE)
    await souk.idle()
    for (const id of [feedId, other]) expect((await feeds.feed(id)).processingStatus).toBe('DONE')
  })

  test('cannot be cancelled by its seller while it waits to be retried, because messages were applied', async () => {
    const feedId = await fatalFeed('PARTLY')
    unblockDocuments()
    const inputFeedDocumentId = await feeds.uploaded(feeds.document([update('OTHER', newShoe())]))
    blockDocuments()
    await feeds.createFeed({ inputFeedDocumentId })
    await souk.idle()
    await retry((await jobsIn('GIVEN_UP'))[0].jobId)
    expect((await feeds.feed(feedId)).processingStatus).toBe('IN_QUEUE')
    expect(errorOf(await feeds.delete(`/feeds/2021-06-30/feeds/${feedId}`))).toMatchObject({
      status: 400,
      details: expect.stringContaining('has applied messages'),
    })
    expect((await feeds.feed(feedId)).processingStatus).toBe('IN_QUEUE')
    unblockDocuments()
  })

  test('cannot be retried twice', async () => {
    const feedId = await fatalFeed('GONE')
    unblockDocuments()
    const [{ jobId }] = await jobsIn('GIVEN_UP')
    await retry(jobId)
    await souk.idle()
    expect((await feeds.feed(feedId)).processingStatus).toBe('DONE')
    expect((await retry(jobId)).statusCode).toBe(404)
  })
})

test('a job in backoff is listed with its error, and runs immediately when the operator retries it', async () => {
  blockDocuments()
  const reportId = await reports.created()
  await souk.idle()
  const [job, ...others] = await jobsIn('WAITING')
  expect(others).toEqual([])
  expect(job).toMatchObject({ state: 'WAITING', failures: 1, runAt: '2026-06-01T12:00:01.000Z', payload: { reportId } })
  unblockDocuments()
  expect((await retry(job.jobId)).statusCode).toBe(200)
  await souk.idle()
  expect((await reports.report(reportId)).processingStatus).toBe('DONE')
  expect(await jobsIn('WAITING')).toEqual([])
})

test('a waiting job is cancelled with its report', async () => {
  blockDocuments()
  const reportId = await reports.created()
  await souk.idle()
  const [{ jobId }] = await jobsIn('WAITING')
  expect((await send('DELETE', `${JOBS}/${jobId}`)).statusCode).toBe(200)
  unblockDocuments()
  await souk.idle()
  expect((await reports.report(reportId)).processingStatus).toBe('CANCELLED')
  expect(await jobsIn('WAITING')).toEqual([])
  expect(errorOf(await send('DELETE', `${JOBS}/${jobId}`))).toMatchObject({ status: 404 })
})

describe('a waiting job is cancelled with its feed, and the next feed of the seller is processed', () => {
  async function submitTwo(beforeProcessing?: () => void): Promise<string[]> {
    const document = feeds.document([update('LATER', newShoe())])
    const documentIds = [await feeds.uploaded(document), await feeds.uploaded(document)]
    beforeProcessing?.()
    const feedIds: string[] = []
    for (const inputFeedDocumentId of documentIds) {
      feedIds.push((await feeds.createFeed({ inputFeedDocumentId })).json().feedId)
    }
    await souk.idle()
    return feedIds
  }
  async function cancelWaitingJob(): Promise<void> {
    const [{ jobId }] = await jobsIn('WAITING')
    expect((await send('DELETE', `${JOBS}/${jobId}`)).statusCode).toBe(200)
    await souk.idle()
  }
  const statusesOf = (feedIds: string[]) =>
    Promise.all(feedIds.map(async (id) => (await feeds.feed(id)).processingStatus))

  test('a feed that has changed nothing is CANCELLED', async () => {
    ;({ souk, listings } = await startWatchedListings({ delay: SECOND }))
    feeds = new FeedsClient(souk)
    const feedIds = await submitTwo()
    souk.clock.advance(SECOND)
    await souk.idle()
    expect(await statusesOf(feedIds)).toEqual(['IN_PROGRESS', 'IN_QUEUE'])
    expect((await listings.get('LATER')).statusCode).toBe(404)
    await cancelWaitingJob()
    for (const _ of ['IN_QUEUE', 'IN_PROGRESS']) {
      souk.clock.advance(SECOND)
      await souk.idle()
    }
    expect(await statusesOf(feedIds)).toEqual(['CANCELLED', 'DONE'])
  })

  test('a feed that has applied messages is FATAL, and so is the one in its notification', async () => {
    const feedIds = await submitTwo(blockDocuments)
    expect((await listings.get('LATER')).statusCode).toBe(200)
    unblockDocuments()
    await cancelWaitingJob()
    expect(await statusesOf(feedIds)).toEqual(['FATAL', 'DONE'])
    const [event] = (await finishedEvents(database)).get(feedIds[0] as string) ?? []
    expect(event?.payload.feedProcessingFinishedNotification).toMatchObject({ processingStatus: 'FATAL' })
  })
})

test('the job of a listing cannot be cancelled, because the listing would never be processed', async () => {
  const discount = { value_with_tax: 70, start_at: '2026-06-02T00:00:00Z', end_at: '2026-06-03T00:00:00Z' }
  const offer = { currency: 'USD', our_price: priceOf(80), discounted_price: [{ schedule: [discount] }] }
  await listings.put('SALE', newShoe({ purchasable_offer: [offer] }))
  await souk.idle()
  const [{ jobId }] = await jobsIn('WAITING&kind=processListing')
  expect(await jobsIn('WAITING&kind=processReport')).toEqual([])
  const refusal = errorOf(await send('DELETE', `${JOBS}/${encodeURIComponent(jobId)}`))
  expect(refusal).toMatchObject({ status: 409, code: 'Conflict', details: expect.stringContaining('listing') })
  expect(await jobsIn('WAITING')).toHaveLength(1)
})

test('jobs are listed in pages, only for the operator', async () => {
  blockDocuments()
  for (let count = 0; count < 5; count++) await reports.created()
  await exhaustRetries()
  const seen: string[] = []
  let token = ''
  do {
    const page = (await send('GET', `${JOBS}?state=GIVEN_UP&pageSize=2${token}`)).json()
    seen.push(...page.jobs.map((job: { jobId: string }) => job.jobId))
    token = page.nextToken ? `&pageToken=${page.nextToken}` : ''
  } while (token)
  expect(new Set(seen).size).toBe(5)
  expect(await jobsIn('RUNNING')).toEqual([])
  for (const query of [
    '',
    '?state=LOST',
    '?state=WAITING&pageSize=0',
    '?state=GIVEN_UP&pageToken=x',
    '?state=RUNNING&a=1',
  ]) {
    expect((await send('GET', JOBS + query)).statusCode, query).toBe(400)
  }
  expect((await souk.get(`${JOBS}?state=GIVEN_UP`)).statusCode).toBe(403)
  expect((await souk.post(`${JOBS}/${seen[0]}/retry`)).statusCode).toBe(403)
  unblockDocuments()
})
