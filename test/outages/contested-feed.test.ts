import pg from 'pg'
import { expect, test } from 'vitest'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FeedsClient, partialUpdate, summary } from '../support/feeds.ts'
import { listingsClient, newShoe, priceOf, setPrice } from '../support/listings.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

const MESSAGES = 500
const PATCHERS = 8
const MAX_MILLISECONDS = 240_000
const MAX_REPEATED = 5

test('a feed of 500 messages finishes despite a stream of patches of the same listings', {
  timeout: MAX_MILLISECONDS + 60_000,
}, async () => {
  const database = await createPostgresDatabase('schema')
  const souk: TestSouk = await startTestSouk({
    database,
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
  const rolledBackBefore = await countRollbacks(database)
  const startedAt = performance.now()
  const feedId = await feeds.submitted(feeds.document(changes))
  const status = await ended(feedId)
  const milliseconds = performance.now() - startedAt
  isOver = true
  await Promise.all(patchers)
  expect(status).toBe('DONE')
  expect((await feeds.report(await feeds.feed(feedId))).summary).toEqual(summary(MESSAGES))
  expect(patches).toBeGreaterThan(PATCHERS)
  console.log(`${patches} patches beside the feed, which took ${milliseconds.toFixed(0)} ms`)
  // They wait for each other's rows, and repeat nothing.
  expect((await countRollbacks(database)) - rolledBackBefore).toBeLessThan(MAX_REPEATED)

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

async function countRollbacks(databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query<{ count: number }>(
    'select xact_rollback::int as count from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return rows[0]?.count ?? 0
}
