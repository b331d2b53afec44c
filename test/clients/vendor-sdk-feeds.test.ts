import { beforeAll, describe, expect, test } from 'vitest'
// Imported by path: the package exports only its index, which loads every API and takes a second.
import * as FeedsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/feeds_v2021_06_30/index.js'
import {
  DAY,
  download,
  FeedsClient,
  JSON_TYPE,
  LISTINGS,
  RETIRED,
  SECOND,
  US,
  update,
  upload,
} from '../support/feeds.ts'
import { listingsClient, newShoe } from '../support/listings.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { waitFor } from '../support/wait-for.ts'

// The SDK's types leave out whatever is optional.
type EndedFeed = FeedsSpApi.Feed & { resultFeedDocumentId: string }
type Page = FeedsSpApi.GetFeedsResponse & { nextToken?: string }

describe("the vendor's JavaScript SDK", () => {
  let souk: TestSouk
  let client: FeedsClient
  let feeds: FeedsSpApi.FeedsApi
  beforeAll(async () => {
    souk = await startTestSouk({ delay: SECOND })
    client = new FeedsClient(souk)
    const connection = new FeedsSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(await client.token())
    // The SDK enforces the documented rates itself, by the real clock, and drops requests that exceed them.
    connection.disableRateLimiter()
    feeds = new FeedsSpApi.FeedsApi(connection)
  })

  /** Uploads a document and makes a feed of it, as its users do. */
  async function submit(content: string, feedType = LISTINGS): Promise<string> {
    const { feedDocumentId, url } = await feeds.createFeedDocument({ contentType: JSON_TYPE })
    expect((await upload(url, content)).status).toBe(200)
    const created = await feeds.createFeed({ feedType, marketplaceIds: [US], inputFeedDocumentId: feedDocumentId })
    return created.feedId
  }

  /** Lets time pass until the feed has ended. */
  async function end(feedId: string): Promise<EndedFeed> {
    const lookLater = () => {
      souk.clock.advance(SECOND)
      return client.feed(feedId)
    }
    await waitFor(lookLater, ({ processingEndTime }) => processingEndTime !== undefined)
    return (await feeds.getFeed(feedId)) as EndedFeed
  }

  test('uploads a document, reads the feed while queued and when done, and downloads its result', async () => {
    const createdTime = souk.clock.now()
    const feedId = await submit(client.document([update('SDK-FEED-1', newShoe()), update('SDK-FEED-2', { brand: [] })]))
    const asked = { feedId, feedType: LISTINGS, marketplaceIds: [US], createdTime }
    expect(await feeds.getFeed(feedId)).toMatchObject({ ...asked, processingStatus: 'IN_QUEUE' })
    const feed = await end(feedId)
    expect(feed).toMatchObject({
      ...asked,
      processingStatus: 'DONE',
      processingStartTime: expect.any(Date),
      processingEndTime: expect.any(Date),
    })

    const document = await feeds.getFeedDocument(feed.resultFeedDocumentId)
    expect(document).toMatchObject({ feedDocumentId: feed.resultFeedDocumentId, compressionAlgorithm: 'GZIP' })
    const report = JSON.parse(await download(document.url))
    expect(report).toMatchObject({
      header: { feedId, sellerId: souk.demo.sellerId },
      summary: { messagesProcessed: 2, messagesAccepted: 1, messagesInvalid: 1 },
    })
    const listings = listingsClient(souk, await client.token())
    expect((await listings.read('SDK-FEED-1')).summaries).toMatchObject([{ itemName: 'Desert boot, sand' }])
  })

  test('gets a decompressed result on request', async () => {
    const feed = await end(await submit('x', RETIRED))
    const options = { enableContentEncodingUrlHeader: true }
    const { url } = await feeds.getFeedDocument(feed.resultFeedDocumentId, options)
    const response = await fetch(url)
    expect(await response.text()).toContain('JSON_LISTINGS_FEED')
  })

  test('lists feeds page by page', async () => {
    const type = 'POST_PRODUCT_IMAGE_DATA'
    for (let count = 0; count < 5; count++) await submit('x', type)
    const filter = {
      feedTypes: [type, 'POST_PRODUCT_PRICING_DATA'],
      processingStatuses: ['IN_QUEUE', 'IN_PROGRESS', 'FATAL'],
      marketplaceIds: [US],
      createdSince: new Date(souk.clock.now().getTime() - DAY),
      createdUntil: souk.clock.now(),
    }
    const pages: Page[] = [await feeds.getFeeds({ ...filter, pageSize: 2 })]
    for (const { nextToken } of pages) if (nextToken) pages.push(await feeds.getFeeds({ nextToken }))
    expect(pages.map((one) => one.feeds.length)).toEqual([2, 2, 1])
    expect(new Set(pages.flatMap((one) => one.feeds.map(({ feedId }) => feedId))).size).toBe(5)
  })

  test('cancels a queued feed, and throws an error with status 400 the second time', async () => {
    const feedId = await submit('x', RETIRED)
    await feeds.cancelFeed(feedId)
    expect(await feeds.getFeed(feedId)).toMatchObject({ processingStatus: 'CANCELLED' })
    await expect(feeds.cancelFeed(feedId)).rejects.toMatchObject({
      status: 400,
      response: { body: { errors: [{ code: 'InvalidInput', details: expect.stringContaining('CANCELLED') }] } },
    })
  })

  test('throws an error with status 400 and the reason for an invalid feed', async () => {
    const { feedDocumentId } = await feeds.createFeedDocument({ contentType: JSON_TYPE })
    const body = { feedType: LISTINGS, marketplaceIds: [US], inputFeedDocumentId: feedDocumentId }
    await expect(feeds.createFeed(body)).rejects.toMatchObject({
      status: 400,
      response: { body: { errors: [{ code: 'InvalidInput', details: expect.stringContaining('uploaded') }] } },
    })
  })
})
