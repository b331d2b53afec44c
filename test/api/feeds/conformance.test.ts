import { beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import {
  beginProcessing,
  DOCUMENTS,
  FEEDS,
  FeedsClient,
  feedIn,
  JSON_TYPE,
  LISTINGS,
  remove,
  US,
} from '../../support/feeds.ts'
import { conformsTo, modelsArePresent, readModel } from '../../support/public-models.ts'
import { startTestSouk } from '../../support/souk.ts'

const MODEL = 'feeds_2021-06-30.json'
const DELAY = 7_000

// The results themselves are checked against their schema wherever a test reads one.
describe.skipIf(!modelsArePresent)('responses of feeds conform to the public model', () => {
  let clock: ManualClock
  let client: FeedsClient
  beforeAll(async () => {
    clock = new ManualClock('2026-06-01T12:00:00Z')
    client = new FeedsClient(await startTestSouk({ clock, delay: DELAY }))
  })
  const submit = (content = client.document([remove('NOBODY-HAS-THIS')])) => client.submitted(content)

  test('a new document, and a new feed', async () => {
    const body = { contentType: JSON_TYPE }
    conformsTo(MODEL, 'CreateFeedDocumentSpecification', body)
    conformsTo(MODEL, 'CreateFeedDocumentResponse', (await client.createDocument(body)).json())
    const inputFeedDocumentId = await client.uploaded('{}')
    const feed = { feedType: LISTINGS, marketplaceIds: [US], inputFeedDocumentId, feedOptions: { a: 'b' } }
    conformsTo(MODEL, 'CreateFeedSpecification', feed)
    const created = (await client.createFeed(feed)).json()
    conformsTo(MODEL, 'CreateFeedResponse', created)
    await client.delete(`${FEEDS}/${created.feedId}`)
  })

  test.each(['DONE', 'FATAL'] as const)('a feed in each state until it is %s, and its result', async (status) => {
    const feedId = await submit(status === 'FATAL' ? '{' : undefined)
    conformsTo(MODEL, 'Feed', await client.feed(feedId))
    conformsTo(MODEL, 'Feed', await beginProcessing(client, clock, feedId, DELAY))
    clock.advance(DELAY)
    const ended = await feedIn(client, feedId, status)
    conformsTo(MODEL, 'Feed', ended)
    conformsTo(MODEL, 'FeedDocument', (await client.get(`${DOCUMENTS}/${ended.resultFeedDocumentId}`)).json())
  })

  test('a cancelled feed, and the list of feeds', async () => {
    const feedId = await submit()
    await client.delete(`${FEEDS}/${feedId}`)
    conformsTo(MODEL, 'Feed', await client.feed(feedId))
    await submit()
    const page = await client.feeds(`feedTypes=${LISTINGS}&pageSize=1`)
    expect(page.nextToken).toBeDefined()
    conformsTo(MODEL, 'GetFeedsResponse', page)
  })

  test('errors', async () => {
    for (const refused of [
      await client.createDocument({}),
      await client.createFeed({ inputFeedDocumentId: 'none' }),
      await client.get(FEEDS),
      await client.get(`${FEEDS}/1`),
      await client.delete(`${FEEDS}/1`),
      await client.get(`${DOCUMENTS}/1`),
    ]) {
      expect(refused.statusCode).toBeGreaterThanOrEqual(400)
      conformsTo(MODEL, 'ErrorList', refused.json())
    }
  })

  test('every status of the model is accepted as a filter', async () => {
    const { parameters } = readModel(MODEL).paths['/feeds/2021-06-30/feeds'].get
    const statuses = parameters.find(({ name }: { name: string }) => name === 'processingStatuses').items.enum
    expect(statuses).toHaveLength(5)
    for (const status of statuses) await client.feeds(`feedTypes=${LISTINGS}&processingStatuses=${status}`)
  })

  test('the public example of a listings document is processed', async () => {
    const example = readModel('feeds/listings-feed-schema-v2.example.json')
    const own = new FeedsClient(await startTestSouk())
    const report = await own.processText(
      JSON.stringify({ ...example, header: { ...example.header, sellerId: own.sellerId } }),
    )
    expect(report.summary).toMatchObject({ messagesProcessed: example.messages.length })
    // Its products are of types and marketplaces that there are not; as messages all of them are right.
    for (const { code, message } of report.issues) {
      expect(`${code} ${message}`).not.toMatch(/^4002008 (?!Product type .* does not exist)/)
    }
  })
})
