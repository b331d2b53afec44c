import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/port.ts'
import { addFeedSeller, DE, FeedsClient, finishedEvents, SECOND, US, update, upload } from '../../support/feeds.ts'
import { type ListingsClient, newShoe, startWatchedListings } from '../../support/listings.ts'
import { buildSeller, putResources } from '../../support/seller-client.ts'
import type { TestSouk } from '../../support/souk.ts'

const RETRY_DELAYS = [1, 2, 4, 8, 16].map((seconds) => seconds * SECOND)

let folder: string
let souk: TestSouk
let client: FeedsClient
let listings: ListingsClient
let database: Database
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'souk-feed-failures-'))
  ;({ souk, listings, database } = await startWatchedListings({ documents: folder }))
  client = new FeedsClient(souk)
})
afterEach(async () => {
  await souk.idle()
  rmSync(folder, { recursive: true, force: true })
})

const incoming = () => join(folder, '.incoming')
/** Makes every write of a document fail: the folder of uploads is missing. */
function obstruct(): void {
  renameSync(incoming(), `${incoming()}.away`)
  writeFileSync(incoming(), '')
}
function clear(): void {
  rmSync(incoming())
  renameSync(`${incoming()}.away`, incoming())
}

/** Submits a feed whose messages are applied and whose result cannot be written until clear(). */
async function submitObstructed(sku: string, header: Record<string, unknown> = {}) {
  const place = await client.createdDocument()
  await upload(place.url, client.document([update(sku, newShoe())], header))
  obstruct()
  const response = await client.createFeed({ inputFeedDocumentId: place.feedDocumentId })
  await souk.idle()
  const feedId: string = response.json().feedId
  expect((await client.feed(feedId)).processingStatus).toBe('IN_PROGRESS')
  return { feedId, ...place }
}

describe('a feed whose result cannot be written', () => {
  test('is retried, and counts each message once', async () => {
    const { feedId } = await submitObstructed('AGAIN')
    const before = await listings.read('AGAIN')
    clear()
    souk.clock.advance(SECOND)
    await souk.idle()
    const feed = await client.feed(feedId)
    expect(feed.processingStatus).toBe('DONE')
    expect((await client.report(feed)).summary).toMatchObject({ messagesProcessed: 1, messagesAccepted: 1 })
    expect(await listings.read('AGAIN')).toEqual(before)
  })

  test('has the items of messages in its result that were applied before the retry', async () => {
    const { feedId } = await submitObstructed('ITEMS', { includedData: ['summaries'] })
    clear()
    souk.clock.advance(SECOND)
    await souk.idle()
    const { items, summary } = await client.report(await client.feed(feedId))
    expect(items).toMatchObject([{ sku: 'ITEMS' }])
    expect(summary).toMatchObject({ messagesProcessed: 1, itemSummary: { items: 1 } })
  })

  test('ends FATAL without a result, publishes one event, and the next feed starts', async () => {
    const { feedId } = await submitObstructed('NEVER')
    clear()
    const next = await client.submitted('x', { feedType: 'POST_PRODUCT_DATA' })
    obstruct()
    for (const delay of RETRY_DELAYS) {
      expect((await client.feed(feedId)).processingStatus).toBe('IN_PROGRESS')
      expect((await client.feed(next)).processingStatus).toBe('IN_QUEUE')
      souk.clock.advance(delay)
      await souk.idle()
    }
    const feed = await client.feed(feedId)
    expect(feed).toMatchObject({ processingStatus: 'FATAL', processingEndTime: expect.any(String) })
    expect(feed).not.toHaveProperty('resultFeedDocumentId')
    const events = (await finishedEvents(database)).get(feedId) ?? []
    expect(events).toHaveLength(1)
    expect(events[0]?.payload.feedProcessingFinishedNotification).not.toHaveProperty('resultFeedDocumentId')
    clear()
    souk.clock.advance(60 * SECOND)
    await souk.idle()
    expect(await client.feed(next)).toMatchObject({
      processingStatus: 'FATAL',
      resultFeedDocumentId: expect.any(String),
    })
  })
})

describe('a document that is replaced', () => {
  const another = () => client.document([update('REPLACED', newShoe()), update('REPLACED-2', newShoe())])

  test('while it is processed makes the feed FATAL: nothing of the new document is applied', async () => {
    const { feedId, url } = await submitObstructed('ORIGINAL')
    clear()
    expect((await upload(url, another())).status).toBe(200)
    souk.clock.advance(SECOND)
    await souk.idle()
    const feed = await client.feed(feedId)
    expect(feed.processingStatus).toBe('FATAL')
    const report = await client.report(feed)
    expect(report.issues).toMatchObject([{ message: expect.stringContaining('replaced') }])
    expect(report.summary).toMatchObject({ messagesProcessed: 1, messagesAccepted: 1, errors: 1 })
    expect((await listings.get('ORIGINAL')).statusCode).toBe(200)
    expect((await listings.get('REPLACED')).statusCode).toBe(404)
  })

  test('by the same content while it is processed changes nothing', async () => {
    const { feedId, url } = await submitObstructed('SAME')
    clear()
    await upload(url, client.document([update('SAME', newShoe())]))
    souk.clock.advance(SECOND)
    await souk.idle()
    expect((await client.feed(feedId)).processingStatus).toBe('DONE')
  })
})

test('a document deleted before processing makes the feed FATAL, with the reason in its result', async () => {
  const inputFeedDocumentId = await client.uploaded(client.document([update('GONE', newShoe())]))
  // Something before it in the queue.
  await client.submitted('x', { feedType: 'POST_PRODUCT_DATA' })
  const { feedId } = (await client.createFeed({ inputFeedDocumentId })).json()
  rmSync(join(folder, 'feeds', inputFeedDocumentId))
  await souk.idle()
  const feed = await client.feed(feedId)
  expect(feed.processingStatus).toBe('FATAL')
  expect((await client.report(feed)).issues).toMatchObject([{ message: expect.stringContaining('no longer exists') }])
})

test('a feed of a seller who has left the marketplace is FATAL, with the reason in its result', async () => {
  const leaving = await addFeedSeller(souk, 'A3LEAVES', [US, DE])
  // The first feed cannot finish, so the second waits.
  const place = await leaving.createdDocument()
  await upload(place.url, leaving.document([update('FIRST', newShoe())]))
  const second = await leaving.uploaded(leaving.document([update('LEFT', newShoe())]))
  obstruct()
  await leaving.createFeed({ inputFeedDocumentId: place.feedDocumentId })
  const { feedId } = (await leaving.createFeed({ inputFeedDocumentId: second, marketplaceIds: [DE] })).json()
  await putResources(souk, 'sellers', [buildSeller('A3LEAVES', [US])])
  await souk.idle()
  expect((await leaving.feed(feedId)).processingStatus).toBe('IN_QUEUE')
  clear()
  souk.clock.advance(SECOND)
  await souk.idle()
  const feed = await leaving.feed(feedId)
  expect(feed.processingStatus).toBe('FATAL')
  expect((await leaving.report(feed)).issues).toMatchObject([{ message: expect.stringContaining(DE) }])
})
