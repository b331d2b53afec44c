import { expect, test } from 'vitest'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FeedsClient, partialUpdate, summary } from '../support/feeds.ts'
import { listingsClient, newShoe, priceOf, setPrice } from '../support/listings.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

const MESSAGES = 500
const PATCHERS = 8
const MAX_MILLISECONDS = 240_000

test('a feed of 500 messages finishes despite a stream of patches of the same listings', {
  timeout: MAX_MILLISECONDS + 60_000,
}, async () => {
  const souk: TestSouk = await startTestSouk({
    database: await createPostgresDatabase('schema'),
    clock: new SystemClock() as unknown as TestSouk['clock'],
  })
  const feeds = new FeedsClient(souk)
  const listings = listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
  const sku = (index: number) => `CONTESTED-${index % MESSAGES}`
  const shoes = Array.from({ length: MESSAGES }, (_, index) => ({
    ...partialUpdate(sku(index), newShoe()),
    operationType: 'UPDATE',
  }))
  expect(await feeds.submitted(feeds.document(shoes)).then((feedId) => ended(feedId))).toBe('DONE')

  let isOver = false
  let patches = 0
  const patchers = Array.from({ length: PATCHERS }, async (_, patcher) => {
    for (let count = patcher; !isOver; count += PATCHERS) {
      const response = await listings.patch(sku(count), [setPrice(10 + (count % 50))])
      if (response.statusCode === 200) patches++
    }
  })
  const changes = Array.from({ length: MESSAGES }, (_, index) =>
    partialUpdate(sku(index), { purchasable_offer: [{ currency: 'USD', our_price: priceOf(99) }] }),
  )
  const feedId = await feeds.submitted(feeds.document(changes))
  const status = await ended(feedId)
  isOver = true
  await Promise.all(patchers)
  expect(status).toBe('DONE')
  expect((await feeds.report(await feeds.feed(feedId))).summary).toEqual(summary(MESSAGES))
  expect(patches).toBeGreaterThan(PATCHERS)
  console.log(`${patches} patches beside the feed`)

  async function ended(feed: string): Promise<string> {
    const givesUpAt = performance.now() + MAX_MILLISECONDS
    for (;;) {
      const { processingStatus } = await feeds.feed(feed)
      if (!['IN_QUEUE', 'IN_PROGRESS'].includes(processingStatus)) return processingStatus
      if (performance.now() > givesUpAt) throw new Error(`The feed is still ${processingStatus}`)
      await souk.idle()
    }
  }
})
