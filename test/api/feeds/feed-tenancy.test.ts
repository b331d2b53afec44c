import { beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import { queryBuilder } from '../../../src/platform/database/query.ts'
import { registerApplication, revoke, type TestApplication } from '../../support/applications.ts'
import { DOCUMENTS, FEEDS, FeedsClient, JSON_TYPE, LISTINGS, remove, US, upload } from '../../support/feeds.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const denied = { status: 403, code: 'Unauthorized', details: expect.stringContaining('another application') }

async function start(own: TestSouk) {
  const client = new FeedsClient(own)
  const other = await registerApplication(own, 'other', { sellerIds: [own.demo.sellerId] })
  return { souk: own, client, other, token: await other.sellerToken(own.demo.sellerId) }
}

const document = (client: FeedsClient) => client.document([remove('NOBODY-HAS-THIS')])
const submission = (inputFeedDocumentId: string) => ({
  feedType: LISTINGS,
  marketplaceIds: [US],
  inputFeedDocumentId,
})

describe('another application of the seller', () => {
  let souk: TestSouk
  let client: FeedsClient
  let token: string
  beforeAll(async () => {
    ;({ souk, client, token } = await start(await startTestSouk({ delay: 1_000 })))
  })

  test('cannot use a document of the first, as if it were unknown', async () => {
    const documentId = await client.uploaded(document(client))
    const submit = (id: string) => souk.post(FEEDS, { token, payload: submission(id) })
    const refused = errorOf(await submit(documentId))
    expect(refused).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(refused).toEqual(errorOf(await submit('nobody-has-this')))
    expect((await client.createFeed({ inputFeedDocumentId: documentId })).statusCode).toBe(202)
  })

  test('cannot cancel a feed that its own application can', async () => {
    await client.submitted(document(client))
    const feedId = await client.submitted(document(client))
    expect(errorOf(await souk.delete(`${FEEDS}/${feedId}`, { token }))).toMatchObject(denied)
    expect(await client.feed(feedId)).toMatchObject({ processingStatus: 'IN_QUEUE' })
    expect((await client.delete(`${FEEDS}/${feedId}`)).statusCode).toBe(200)
  })
})

test('a feed that has not begun is cancelled if the authorization of its application was revoked', async () => {
  const { souk, client, other, token } = await start(
    await startTestSouk({ delay: 1_000, clock: new ManualClock('2026-06-01T12:00:00.000Z') }),
  )
  await client.submitted(document(client))
  const { feedDocumentId, url } = (await souk.post(DOCUMENTS, { token, payload: { contentType: JSON_TYPE } })).json()
  await upload(url, document(client))
  const { feedId } = (await souk.post(FEEDS, { token, payload: submission(feedDocumentId) })).json()
  const last = await client.submitted(document(client))
  await revoke(souk, souk.demo.sellerId, other.applicationId)
  await waitFor(
    async () => {
      souk.clock.advance(1_000)
      await souk.idle()
      return client.feed(last)
    },
    ({ processingStatus }) => processingStatus === 'DONE',
  )
  const cancelled = await client.feed(feedId)
  expect(cancelled).toMatchObject({ processingStatus: 'CANCELLED' })
  expect(cancelled.resultFeedDocumentId).toBeUndefined()
})

test("another application of the seller reads a feed, the list of feeds and a feed's result", async () => {
  const { souk, client, token } = await start(await startTestSouk())
  const feed = await client.finished(document(client))
  expect((await souk.get(`${FEEDS}/${feed.feedId}`, { token })).json()).toEqual(feed)
  expect((await souk.get(`${FEEDS}?feedTypes=${LISTINGS}`, { token })).json().feeds).toEqual([feed])
  expect((await souk.get(`${DOCUMENTS}/${feed.resultFeedDocumentId}`, { token })).statusCode).toBe(200)
})

test('another application of the seller cannot use up the quota of listings feeds', async () => {
  const { souk, client, other } = await start(await startTestSouk({ rates: 'documented' }))
  const token = await (other as TestApplication).sellerToken(souk.demo.sellerId)
  for (let count = 0; count < 6; count++) {
    const place = await souk.post(DOCUMENTS, { token, payload: { contentType: 'application/json' } })
    const { url, feedDocumentId } = place.json()
    await fetch(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: document(client) })
    const { statusCode } = await souk.post(FEEDS, { token, payload: submission(feedDocumentId) })
    expect(statusCode).toBe(count < 5 ? 202 : 429)
  }
  const inputFeedDocumentId = await client.uploaded(document(client))
  expect((await client.createFeed({ inputFeedDocumentId })).statusCode).toBe(202)
})

test('feeds and documents of earlier versions belong to every application of the seller', async () => {
  const { souk: own, database } = await startWatchedSouk({ delay: 1_000 })
  const { souk, client, token } = await start(own)
  const [documentId, feedId] = [await client.uploaded(document(client)), await client.submitted(document(client))]
  const db = queryBuilder<Record<'feeds' | 'feed_documents', { application_id: string | null }>>()
  await database.transact(async (tx) => {
    await tx.run(db.updateTable('feeds').set({ application_id: null }))
    await tx.run(db.updateTable('feed_documents').set({ application_id: null }))
  })
  expect((await souk.delete(`${FEEDS}/${feedId}`, { token })).statusCode).toBe(200)
  expect((await souk.post(FEEDS, { token, payload: submission(documentId) })).statusCode).toBe(202)
})
