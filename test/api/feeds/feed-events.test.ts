import { Ajv } from 'ajv'
import { beforeAll, expect, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import {
  beginProcessing,
  FEEDS,
  FeedsClient,
  feedIn,
  finishedEvents,
  LISTINGS,
  RETIRED,
  remove,
} from '../../support/feeds.ts'
import { startWatchedListings } from '../../support/listings.ts'
import { modelsArePresent, readModel } from '../../support/public-models.ts'

const DELAY = 7_000

let clock: ManualClock
let database: Database
let client: FeedsClient
beforeAll(async () => {
  clock = new ManualClock('2026-06-01T12:00:00Z')
  const started = await startWatchedListings({ clock, delay: DELAY })
  database = started.database
  client = new FeedsClient(started.souk)
})

const harmless = () => client.document([remove('NOBODY-HAS-THIS')])
const eventsOf = async (feedId: string) => (await finishedEvents(database)).get(feedId) ?? []

/** The notifications of a feed. Each conforms to the public schema. */
async function publicEventsOf(feedId: string) {
  const events = await eventsOf(feedId)
  if (modelsArePresent) {
    const ajv = new Ajv({ strict: false })
    const { payload: schema } = readModel('notifications/FeedProcessingFinishedNotification.json').properties
    for (const { payload } of events) expect(ajv.validate(schema, payload), ajv.errorsText()).toBe(true)
  }
  return events
}

test.each([
  ['DONE', LISTINGS, harmless],
  ['FATAL', LISTINGS, () => 'not JSON'],
  ['FATAL', RETIRED, () => '<xml/>'],
])('a feed that ends %s publishes one event with the id of its result', async (status, feedType, document) => {
  const feedId = await client.submitted(document(), { feedType })
  await beginProcessing(client, clock, feedId, DELAY)
  expect(await eventsOf(feedId)).toEqual([])
  clock.advance(DELAY)
  const { resultFeedDocumentId } = await feedIn(client, feedId, status as 'DONE' | 'FATAL')
  const { sellerId } = client
  expect(await publicEventsOf(feedId)).toEqual([
    {
      sellerId,
      occurredAt: clock.now().toISOString(),
      payload: {
        feedProcessingFinishedNotification: {
          sellerId,
          accountId: `amzn1.merchant.o.${sellerId}`,
          feedId,
          feedType,
          processingStatus: status,
          resultFeedDocumentId,
        },
      },
    },
  ])
})

test('a cancelled feed publishes one event without a result', async () => {
  const feedId = await client.submitted(harmless())
  await client.delete(`${FEEDS}/${feedId}`)
  await client.delete(`${FEEDS}/${feedId}`)
  clock.advance(DELAY)
  await client.souk.idle()
  const [event, ...more] = await publicEventsOf(feedId)
  expect(more).toEqual([])
  expect(event?.payload.feedProcessingFinishedNotification).toMatchObject({ processingStatus: 'CANCELLED' })
  expect(event?.payload.feedProcessingFinishedNotification).not.toHaveProperty('resultFeedDocumentId')
})
