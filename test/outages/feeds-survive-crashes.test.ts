import { describe, expect, test } from 'vitest'
import { demo } from '../../src/dev/demo/index.ts'
import { newShoe } from '../support/listings.ts'
import { type BazaarSeller, createReportMarketplace } from '../support/process-marketplace.ts'
import { startDevIn, startProcesses, urlOf } from '../support/service-processes.ts'
import { type SoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { pollUntil, readSqliteState, type StoredState } from '../support/stored-state.ts'

const LONG = 300_000
// Several at once: most of the time is spent on waiting for processes to start and leases to end.
const PLACES = 4
const KILLS_IN_PLACE = 5
const SKUS = 50
// Enough that no feed is finished at the last kill. PostgreSQL needs fewer because its round trips take longer.
const MESSAGES = { sqlite: 8_000, postgres: 3_000 }

const price = [{ currency: 'CHF', our_price: [{ schedule: [{ value_with_tax: 80 }] }] }]
const stock = (quantity: number) => [{ fulfillment_channel_code: 'DEFAULT', quantity }]

/**
 * Each message changes the quantity that the previous one set for its SKU, so each publishes one event. A worker that
 * applies a message twice, or in another order, publishes more.
 */
const messages = Array.from({ length: MESSAGES.sqlite }, (_, index) => {
  const own = { messageId: index + 1, sku: `FEED-${index % SKUS}`, productType: 'SHOES' }
  if (index < SKUS) {
    const attributes = newShoe({ purchasable_offer: price, fulfillment_availability: stock(index + 1) })
    return { ...own, operationType: 'UPDATE', attributes }
  }
  const patch = { op: 'replace', path: '/attributes/fulfillment_availability', value: stock(index + 1) }
  return { ...own, operationType: 'PATCH', patches: [patch] }
})

/** The last message has the id of the first: a worker that resumes the document must still find the duplicate. */
const documentOf = (count: number) => [...messages.slice(0, count - 1), ...messages.slice(0, 1)]

interface Place {
  remains: StoredState
  seller: BazaarSeller
  feedId: string
  /** The number of messages in the feed. */
  count: number
  /** Starts whatever processes feeds here. */
  startWork(): SoukProcess
  /** Returns the URL of a service that reads the results. */
  startReading(): Promise<string>
}

/** Kills the worker repeatedly, each time after some progress. Returns the numbers of applied messages. */
async function killAgainAndAgain({ remains, startWork }: Place): Promise<number[]> {
  const points: number[] = []
  const progress = async () => (await remains.feeds())[0] ?? { status: '', applied: 0 }
  for (let kill = 0; kill < KILLS_IN_PLACE; kill++) {
    const before = await progress()
    const work = startWork()
    await pollUntil(async () => {
      const now = await progress()
      // The first one dies before it has applied anything.
      return kill === 0 ? now.status === 'IN_PROGRESS' : now.applied > before.applied
    })
    await work.stop('SIGKILL')
    points.push((await progress()).applied)
  }
  return points
}

async function expectEachCountedOnce(place: Place): Promise<void> {
  const { remains, seller, feedId, count, startWork, startReading } = place
  startWork()
  await pollUntil(async () => (await remains.feeds())[0]?.status === 'DONE')
  const { status, result } = await seller.readFeed(await startReading(), feedId)
  expect(status).toBe('DONE')
  expect(result.issues).toMatchObject([{ messageId: 1, message: 'messageId 1 is duplicated.' }])
  expect(result.summary).toEqual({
    errors: 1,
    warnings: 0,
    messagesProcessed: count,
    messagesAccepted: count - 1,
    messagesInvalid: 1,
  })
  expect(await remains.events('LISTINGS_ITEM_MFN_QUANTITY_CHANGE')).toBe(count - 1)
  expect(await remains.events('FEED_PROCESSING_FINISHED')).toBe(1)
  expect((await remains.jobs()).length).toBe(0)
}

async function survive(openPlace: () => Promise<Place>): Promise<void> {
  const points = await Promise.all(
    Array.from({ length: PLACES }, async () => {
      const place = await openPlace()
      const killedAt = await killAgainAndAgain(place)
      // The kills met feeds that were under way.
      expect(killedAt.every((applied) => applied < place.count)).toBe(true)
      await expectEachCountedOnce(place)
      return killedAt
    }),
  )
  expect(points.flat().length).toBeGreaterThanOrEqual(20)
  expect(new Set(points.flat()).size).toBeGreaterThanOrEqual(KILLS_IN_PLACE)
}

describe('a feed is completed, and each message applied once,', () => {
  test('however often and wherever souk dev is killed', { timeout: LONG }, () =>
    survive(async () => {
      const folder = temporaryFolder()
      const first = startDevIn(folder, { delay: 1000 })
      const url = await urlOf(first)
      const seller = await createReportMarketplace(url, demo.operatorKey)
      const feedId = await seller.submitFeed(url, documentOf(MESSAGES.sqlite))
      await first.stop('SIGKILL')
      const remains = readSqliteState(folder)
      await remains.keepEvents()
      let last = first
      return {
        remains,
        seller,
        feedId,
        count: MESSAGES.sqlite,
        startWork: () => {
          last = startDevIn(folder, { delay: 0 })
          return last
        },
        startReading: () => urlOf(last),
      }
    }),
  )

  test('however often and wherever souk worker is killed', { timeout: LONG }, () =>
    survive(async () => {
      const { env, remains, startServe, startWorker } = await startProcesses({ leaseSeconds: 3 })
      const { url } = await startServe()
      const seller = await createReportMarketplace(url, env.SOUK_OPERATOR_KEY)
      const count = MESSAGES.postgres
      await remains.keepEvents()
      const feedId = await seller.submitFeed(url, documentOf(count))
      return { remains, seller, feedId, count, startWork: startWorker, startReading: async () => url }
    }),
  )
})
