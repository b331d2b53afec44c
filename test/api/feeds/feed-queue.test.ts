import { beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import {
  addFeedSeller,
  beginProcessing,
  FeedsClient,
  feedIn,
  LISTINGS,
  type Message,
  patch,
  RETIRED,
  remove,
  rowsOf,
  update,
} from '../../support/feeds.ts'
import { listingsClient, newShoe, setQuantity, startWatchedListings } from '../../support/listings.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const DELAY = 7_000

describe('the feeds of a seller', () => {
  let clock: ManualClock
  let souk: TestSouk
  let database: Database
  let client: FeedsClient
  beforeAll(async () => {
    clock = new ManualClock('2026-06-01T12:00:00Z')
    ;({ souk, database } = await startWatchedListings({ clock, delay: DELAY }))
    client = new FeedsClient(souk)
  })
  const statuses = async (...feedIds: string[]) =>
    Promise.all(feedIds.map(async (feedId) => (await client.feed(feedId)).processingStatus))
  const submit = (...messages: Message[]) => client.submitted(client.document(messages))

  test('are processed one at a time, oldest first, whatever their types', async () => {
    const first = await submit(update('TURN', newShoe()))
    const second = await client.submitted('x', { feedType: RETIRED })
    const third = await submit(patch('TURN', setQuantity(3)))
    await beginProcessing(client, clock, first, DELAY)
    expect(await statuses(first, second, third)).toEqual(['IN_PROGRESS', 'IN_QUEUE', 'IN_QUEUE'])

    clock.advance(DELAY)
    await feedIn(client, second, 'IN_PROGRESS')
    await souk.idle()
    expect(await statuses(first, second, third)).toEqual(['DONE', 'IN_PROGRESS', 'IN_QUEUE'])

    clock.advance(DELAY)
    await feedIn(client, third, 'IN_PROGRESS')
    await souk.idle()
    expect(await statuses(first, second, third)).toEqual(['DONE', 'FATAL', 'IN_PROGRESS'])

    clock.advance(DELAY)
    await feedIn(client, third, 'DONE')
    const feeds = await Promise.all([first, second, third].map((feedId) => client.feed(feedId)))
    expect(feeds.map((feed) => [feed.processingStartTime, feed.processingEndTime])).toEqual([
      ['2026-06-01T12:00:07+00:00', '2026-06-01T12:00:14+00:00'],
      ['2026-06-01T12:00:14+00:00', '2026-06-01T12:00:21+00:00'],
      ['2026-06-01T12:00:21+00:00', '2026-06-01T12:00:28+00:00'],
    ])
    const item = await listingsClient(souk, await client.token()).read('TURN')
    expect(item.fulfillmentAvailability).toMatchObject([{ quantity: 3 }])
  })

  test('wait in their order, without a job: two jobs for a feed would apply it twice', async () => {
    const waiting: string[] = []
    for (const sku of ['A', 'B', 'C', 'D', 'E', 'F']) waiting.push(await submit(remove(sku)))
    // The clock stands still, and their ids are random.
    const { feeds } = await client.feeds(`feedTypes=${LISTINGS}&processingStatuses=IN_QUEUE`)
    expect(feeds.map(({ feedId }) => feedId)).toEqual(waiting.toReversed())
    const jobs = async () => (await rowsOf(database, 'jobs')).map(({ payload }) => JSON.parse(payload).feedId)
    expect(await jobs()).toEqual(waiting.slice(0, 1))
    await souk.idle()
    for (const feedId of waiting) {
      clock.advance(DELAY)
      await feedIn(client, feedId, 'IN_PROGRESS')
      await souk.idle()
      expect(await jobs()).toEqual([feedId])
    }
    clock.advance(DELAY)
    await souk.idle()
    expect(await jobs()).toEqual([])
  })

  test('do not wait for feeds of other sellers', async () => {
    const others = [
      new FeedsClient(souk, souk.demo.otherSeller),
      await addFeedSeller(souk, 'A3SIDE'),
      await addFeedSeller(souk, 'A4SIDE'),
    ]
    const sellers = [client, ...others]
    const feedIds = []
    for (const seller of sellers) feedIds.push(await seller.submitted(seller.document([remove('NOBODY-HAS-THIS')])))
    await souk.idle()
    clock.advance(DELAY)
    await souk.idle()
    for (const [index, seller] of sellers.entries()) {
      expect((await seller.feed(feedIds[index] as string)).processingStatus).toBe('IN_PROGRESS')
    }
    clock.advance(DELAY)
    for (const [index, seller] of sellers.entries()) await feedIn(seller, feedIds[index] as string, 'DONE')
  })
})

describe('many concurrent feeds', () => {
  test('of one seller all finish, in order of creation', async () => {
    const souk = await startTestSouk()
    const client = new FeedsClient(souk)
    await client.finished(client.document([update('RUSH', newShoe())]))
    const feedIds = await Promise.all(
      Array.from({ length: 12 }, (_, index) => client.submitted(client.document([patch('RUSH', setQuantity(index))]))),
    )
    await souk.idle()
    const feeds = await Promise.all(feedIds.map((feedId) => client.feed(feedId)))
    expect(feeds.map(({ processingStatus }) => processingStatus)).toEqual(Array(12).fill('DONE'))
  })

  test('of several sellers all finish, and each seller has their own listings', async () => {
    const souk = await startTestSouk()
    const sellers = await Promise.all(['A3MANY', 'A4MANY', 'A5MANY'].map((sellerId) => addFeedSeller(souk, sellerId)))
    const submitted = await Promise.all(
      sellers.flatMap((seller, which) =>
        Array.from({ length: 3 }, async (_, count) => {
          const message = update(`MANY-${count}`, newShoe({ item_name: [{ value: `Boot of seller ${which}` }] }))
          return { seller, feedId: await seller.submitted(seller.document([message])) }
        }),
      ),
    )
    await souk.idle()
    for (const { seller, feedId } of submitted) expect((await seller.feed(feedId)).processingStatus).toBe('DONE')
    for (const [which, seller] of sellers.entries()) {
      const listings = listingsClient(souk, await seller.token(), seller.sellerId)
      for (const sku of ['MANY-0', 'MANY-1', 'MANY-2']) {
        expect((await listings.read(sku)).summaries).toMatchObject([{ itemName: `Boot of seller ${which}` }])
      }
    }
  })
})
