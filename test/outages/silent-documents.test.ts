import { Readable } from 'node:stream'
import { type FauxqsServer, startFauxqs } from 'fauxqs'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/platform/database/port.ts'
import { S3DocumentStore } from '../../src/platform/documents/s3-document-store.ts'
import { FaultyProxy, type Mode } from '../support/faulty-proxy.ts'
import { FEEDS, FeedsClient, feedIn, finishedEvents, rowsOf, update } from '../support/feeds.ts'
import { newShoe, startWatchedListings } from '../support/listings.ts'
import { MINUTE, ReportsClient, reportIn, SECOND } from '../support/reports.ts'
import { errorOf, type TestSouk } from '../support/souk.ts'

// Short enough to wait for, long enough for a call that succeeds on a loaded machine.
const CALL = 3_000
const FAULTS = ['refusing', 'silent', 'resetting'] as const satisfies Mode[]
// Without the silent one, where each of many attempts would take all of its time.
const FAST_FAULTS = ['refusing', 'resetting'] as const satisfies Mode[]

let s3: FauxqsServer
let proxy: FaultyProxy
let store: S3DocumentStore
let souk: TestSouk
let database: Database
let feeds: FeedsClient
let reports: ReportsClient

beforeAll(async () => {
  s3 = await startFauxqs({ port: 0, logger: false, host: '127.0.0.1' })
  s3.createBucket('documents')
  proxy = await new FaultyProxy(s3.port).open()
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST').stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret')
  store = new S3DocumentStore({
    bucket: 'documents',
    prefix: '',
    endpoint: proxy.url,
    region: 'us-east-1',
    forcePathStyle: true,
    deadlines: {
      connectMilliseconds: CALL,
      callMilliseconds: CALL,
      requestMilliseconds: CALL,
      transferMilliseconds: CALL,
    },
  })
  ;({ souk, database } = await startWatchedListings({ documentStore: store }))
  feeds = new FeedsClient(souk)
  reports = new ReportsClient(souk)
})
afterEach(() => {
  vi.useRealTimers()
  return proxy.set('passing')
})
afterAll(async () => {
  await proxy.set('passing')
  await souk.stop()
  store.close()
  await proxy.close()
  await s3.stop()
  vi.unstubAllEnvs()
})

const uploaded = async (content: string) => {
  const { feedDocumentId, url } = await feeds.createdDocument()
  const headers = { 'content-type': 'application/json; charset=UTF-8' }
  const { status } = await fetch(url, { method: 'PUT', body: Buffer.from(content), headers })
  expect(status).toBe(200)
  return feedDocumentId
}

describe.each(FAULTS)('while S3 is %s', (mode) => {
  test('createFeed returns 503 with Retry-After, and writes nothing', async () => {
    const inputFeedDocumentId = await uploaded(feeds.document([update('LATER', newShoe())]))
    const before = [await rowsOf(database, 'feeds'), await rowsOf(database, 'feed_documents')]
    await proxy.set(mode)
    const response = await feeds.createFeed({ inputFeedDocumentId })
    expect(errorOf(response)).toMatchObject({ status: 503, code: 'ServiceUnavailable' })
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect([await rowsOf(database, 'feeds'), await rowsOf(database, 'feed_documents')]).toEqual(before)
    // And the same document can be submitted afterwards.
    await proxy.set('passing')
    const { feedId } = (await feeds.createFeed({ inputFeedDocumentId })).json()
    await souk.idle()
    expect((await feeds.feed(feedId)).processingStatus).toBe('DONE')
  })
})

describe.each(FAST_FAULTS)('while S3 is %s', (mode) => {
  test('a feed and a report wait longer than the retries of a job, and are DONE when it is back', async () => {
    const feedId = await feeds
      .createFeed({ inputFeedDocumentId: await uploaded(feeds.document([update('PATIENT', newShoe())])) })
      .then((response) => {
        expect(response.statusCode, response.body).toBe(202)
        return response.json().feedId as string
      })
    // The feed is under way or not: both are outages of its job.
    await proxy.set(mode)
    const reportId = await reports.created()
    for (let attempt = 0; attempt < 20; attempt++) {
      await souk.idle()
      souk.clock.advance(5 * MINUTE)
    }
    await souk.idle()
    expect((await reports.report(reportId)).processingStatus).toBe('IN_PROGRESS')
    const [job] = (await souk.get('/operator/v1/jobs?state=WAITING', { headers: souk.operator })).json().jobs
    expect(job).toMatchObject({ failures: 0, crashes: 0, lastError: expect.stringContaining('S3') })
    expect(job.outageRetries).toBeGreaterThan(6)
    expect((await souk.get('/metrics')).body).toMatch(/^souk_jobs_in_outage [12]$/m)
    await proxy.set('passing')
    souk.clock.advance(5 * MINUTE)
    await souk.idle()
    await reportIn(reports, reportId, 'DONE')
    await feedIn(feeds, feedId, 'DONE')
    expect((await finishedEvents(database)).get(feedId)).toHaveLength(1)
    expect((await feeds.get(`${FEEDS}/${feedId}`)).json()).toHaveProperty('resultFeedDocumentId')
  })
})

test('while S3 is unavailable, many reports cause few calls to it, and are all DONE when it is back', async () => {
  // Those that fail in a row and those beside the last, each with two further attempts of the client of S3.
  const MAX_FIRST_CONNECTIONS = (5 + 4) * 3
  // Otherwise a slow machine has more seconds than those counted here.
  vi.useFakeTimers({ toFake: ['performance'] })
  await proxy.set('resetting')
  const { connections } = proxy
  const reportIds: string[] = []
  for (let count = 0; count < 40; count++) reportIds.push(await reports.created())
  await souk.idle()
  expect(proxy.connections - connections).toBeLessThanOrEqual(MAX_FIRST_CONNECTIONS)
  for (let second = 1; second <= 5; second++) {
    souk.clock.advance(SECOND)
    await souk.idle()
    expect(proxy.connections - connections).toBeLessThanOrEqual(MAX_FIRST_CONNECTIONS + 3 * second)
  }
  await proxy.set('passing')
  // The pause of those that were tried, and that of the kind.
  for (let second = 1; second <= 10; second++) {
    souk.clock.advance(SECOND)
    await souk.idle()
  }
  for (const reportId of reportIds) await reportIn(reports, reportId, 'DONE')
})

test('a sweep that cannot reach S3 is retried later, and everything else continues', async () => {
  const inputFeedDocumentId = await uploaded('x')
  const unused = async () => (await rowsOf(database, 'feed_documents')).map((row) => row.document_id)
  await proxy.set('refusing')
  souk.clock.advance(3 * 24 * 60 * MINUTE)
  expect((await feeds.feeds('feedTypes=JSON_LISTINGS_FEED')).feeds).toBeDefined()
  expect(await unused()).toContain(inputFeedDocumentId)
  await proxy.set('passing')
  await expect
    .poll(() => {
      souk.clock.advance(10 * MINUTE)
      return unused()
    })
    .not.toContain(inputFeedDocumentId)
})

test('a truncated document is read again, and never padded with process memory', async () => {
  const inputFeedDocumentId = await uploaded(feeds.document([update('CUT-OFF', newShoe())]))
  const get = vi.spyOn(store, 'get').mockImplementationOnce(async (...args) => {
    get.mockRestore()
    const document = await store.get(...args)
    if (!document) throw new Error('There is no document')
    document.content.destroy()
    return { ...document, content: Readable.from([Buffer.from('{')]) }
  })
  const { feedId } = (await feeds.createFeed({ inputFeedDocumentId })).json()
  await souk.idle()
  expect((await feeds.feed(feedId)).processingStatus).not.toBe('FATAL')
  souk.clock.advance(MINUTE)
  await souk.idle()
  expect((await feeds.feed(feedId)).processingStatus).toBe('DONE')
})
