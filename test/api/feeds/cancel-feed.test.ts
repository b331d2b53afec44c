import { beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import { beginProcessing, FEEDS, FeedsClient, feedIn, LISTINGS, remove, update } from '../../support/feeds.ts'
import { listingsClient, newShoe } from '../../support/listings.ts'
import { errorOf, startTestSouk } from '../../support/souk.ts'

const DELAY = 7_000

let clock: ManualClock
/** Keeps feeds in each state until the clock is moved. */
let slow: FeedsClient
/** Processes feeds at once. */
let fast: FeedsClient
beforeAll(async () => {
  clock = new ManualClock('2026-06-01T12:00:00Z')
  slow = new FeedsClient(await startTestSouk({ clock, delay: DELAY }))
  fast = new FeedsClient(await startTestSouk())
})

const cancel = (client: FeedsClient, feedId: string) => client.delete(`${FEEDS}/${feedId}`)
const harmless = (client: FeedsClient) => client.document([remove('NOBODY-HAS-THIS')])
const creates = (client: FeedsClient, sku: string) => client.document([update(sku, newShoe())])
const isThere = async (client: FeedsClient, sku: string) =>
  (await listingsClient(client.souk, await client.token()).get(sku)).statusCode === 200
const tooLate = (status: string) => ({
  status: 400,
  code: 'InvalidInput',
  details: expect.stringContaining(status),
})

describe('cancelFeed', () => {
  test('cancels a queued feed, which stays listed and is never processed', async () => {
    const feedId = await slow.submitted(creates(slow, 'CANCELLED'))
    const queued = await slow.feed(feedId)
    const response = await cancel(slow, feedId)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({})
    const cancelled = {
      ...queued,
      processingStatus: 'CANCELLED',
      processingEndTime: '2026-06-01T12:00:00+00:00',
    }
    expect(await slow.feed(feedId)).toEqual(cancelled)

    clock.advance(DELAY)
    await slow.souk.idle()
    expect(await slow.feed(feedId)).toEqual(cancelled)
    expect(await isThere(slow, 'CANCELLED')).toBe(false)
    const { feeds } = await slow.feeds(`feedTypes=${LISTINGS}&processingStatuses=CANCELLED`)
    expect(feeds).toContainEqual(cancelled)
  })

  test("starts the seller's next feed", async () => {
    const first = await slow.submitted(creates(slow, 'NEVER'))
    const second = await slow.submitted(creates(slow, 'NEXT'))
    await cancel(slow, first)
    await beginProcessing(slow, clock, second, DELAY)
    clock.advance(DELAY)
    await feedIn(slow, second, 'DONE')
    expect(await isThere(slow, 'NEXT')).toBe(true)
    expect(await isThere(slow, 'NEVER')).toBe(false)
  })

  test('cancels a feed in the middle of the queue, and the others keep their order', async () => {
    const [first, second, third] = [
      await slow.submitted(harmless(slow)),
      await slow.submitted(creates(slow, 'MIDDLE')),
      await slow.submitted(harmless(slow)),
    ]
    await cancel(slow, second)
    await beginProcessing(slow, clock, first, DELAY)
    expect((await slow.feed(third)).processingStatus).toBe('IN_QUEUE')
    clock.advance(DELAY)
    await feedIn(slow, first, 'DONE')
    await feedIn(slow, third, 'IN_PROGRESS')
    await slow.souk.idle()
    clock.advance(DELAY)
    await feedIn(slow, third, 'DONE')
    expect(await isThere(slow, 'MIDDLE')).toBe(false)
  })

  test('refuses with 400 once processing has started, and the feed continues', async () => {
    const feedId = await slow.submitted(harmless(slow))
    const begun = await beginProcessing(slow, clock, feedId, DELAY)
    expect(errorOf(await cancel(slow, feedId))).toMatchObject(tooLate('IN_PROGRESS'))
    expect(await slow.feed(feedId)).toEqual(begun)
    clock.advance(DELAY)
    await feedIn(slow, feedId, 'DONE')
  })

  test.each([
    ['DONE', () => fast.finished(harmless(fast))],
    ['FATAL', () => fast.finished('{')],
  ])('refuses with 400 when the feed is %s, and leaves it untouched', async (status, make) => {
    const before = await make()
    expect(before.processingStatus).toBe(status)
    expect(errorOf(await cancel(fast, before.feedId))).toMatchObject(tooLate(status))
    expect(await fast.feed(before.feedId)).toEqual(before)
  })

  test('cancels once: of two concurrent requests, the second is refused as CANCELLED', async () => {
    const feedId = await slow.submitted(harmless(slow))
    const responses = await Promise.all([cancel(slow, feedId), cancel(slow, feedId)])
    expect(responses.map((response) => response.statusCode).sort()).toEqual([200, 400])
    expect(errorOf(await cancel(slow, feedId))).toMatchObject(tooLate('CANCELLED'))
  })

  test("returns 404 for an unknown feed and for another seller's feed, which is unchanged", async () => {
    const other = new FeedsClient(slow.souk, slow.souk.demo.otherSeller)
    const feedId = await slow.submitted(harmless(slow))
    const queued = await slow.feed(feedId)
    expect(errorOf(await cancel(other, feedId))).toMatchObject({ status: 404, code: 'NotFound' })
    expect(errorOf(await cancel(slow, '123456789012'))).toMatchObject({ status: 404, code: 'NotFound' })
    expect(await slow.feed(feedId)).toEqual(queued)
  })

  test('races with the processing of the feed: exactly one wins, and every feed finishes', async () => {
    const clock = new ManualClock('2026-06-01T12:00:00Z')
    const client = new FeedsClient(await startTestSouk({ clock, delay: DELAY }))
    const feedIds: string[] = []
    for (let count = 0; count < 8; count++) feedIds.push(await client.submitted(creates(client, `RACE-${count}`)))
    await client.souk.idle()
    clock.advance(DELAY)
    const answers = await Promise.all(feedIds.map((feedId) => cancel(client, feedId)))
    const cancelled = feedIds.filter((_, index) => answers[index]?.statusCode === 200)
    const begun = feedIds.filter((_, index) => answers[index]?.statusCode === 400)
    expect(begun.length).toBeLessThanOrEqual(1)
    expect(begun.length + cancelled.length).toBe(8)
    for (const feedId of begun) {
      await feedIn(client, feedId, 'IN_PROGRESS')
      await client.souk.idle()
      clock.advance(DELAY)
      await feedIn(client, feedId, 'DONE')
    }
    await client.souk.idle()
    for (const [index, feedId] of feedIds.entries()) {
      const { processingStatus, ...feed } = await client.feed(feedId)
      expect(processingStatus).toBe(cancelled.includes(feedId) ? 'CANCELLED' : 'DONE')
      expect('processingStartTime' in feed).toBe(begun.includes(feedId))
      expect(await isThere(client, `RACE-${index}`)).toBe(begun.includes(feedId))
    }
  })
})
