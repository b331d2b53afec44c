import { expect, test } from 'vitest'
import { newShoe, setQuantity } from '../support/listings.ts'
import { createReportMarketplace } from '../support/process-marketplace.ts'
import { startProcesses } from '../support/service-processes.ts'
import { pollUntil } from '../support/stored-state.ts'

const LEASE_SECONDS = 3
const SKUS = 50
// Enough that the feed is not finished when a worker is suspended, or woken.
const MESSAGES = 5_000

const price = [{ currency: 'CHF', our_price: [{ schedule: [{ value_with_tax: 80 }] }] }]

/** Each changes the quantity of its SKU, so each publishes one event if all are applied once and in this order. */
const messages = Array.from({ length: MESSAGES }, (_, index) => {
  const own = { messageId: index + 1, sku: `FEED-${index % SKUS}`, productType: 'SHOES' }
  const change = setQuantity(index + 1)
  if (index >= SKUS) return { ...own, operationType: 'PATCH', patches: [change] }
  const attributes = newShoe({ purchasable_offer: price, fulfillment_availability: change.value })
  return { ...own, operationType: 'UPDATE', attributes }
})

test('a worker that wakes up after another one has taken over its feed applies no more messages of it', async () => {
  const { env, remains, startServe, startWorker } = await startProcesses({
    leaseSeconds: LEASE_SECONDS,
    // Then PostgreSQL drops the locks of the step in which the worker is suspended, so that the other one can claim the feed.
    env: { SOUK_DATABASE_IDLE_TRANSACTION_TIMEOUT_SECONDS: String(LEASE_SECONDS + 1) },
  })
  const { url } = await startServe()
  const seller = await createReportMarketplace(url, env.SOUK_OPERATOR_KEY)
  await remains.keepEvents()
  const feedId = await seller.submitFeed(url, messages)
  const progress = async () => (await remains.feeds())[0] ?? { status: '', applied: 0 }

  const first = startWorker()
  await pollUntil(async () => (await progress()).applied > 0)
  first.signal('SIGSTOP')
  const held = await progress()
  expect(held.status).toBe('IN_PROGRESS')
  expect(held.applied).toBeLessThan(MESSAGES)

  const second = startWorker()
  await pollUntil(async () => (await progress()).applied > held.applied)
  first.signal('SIGCONT')
  const endOfItsRun = first.waitFor(/"msg":"(lease lost|feed done|job failed|dependency unavailable)/)
  await Promise.all([second.waitFor(/"msg":"feed done"/), endOfItsRun])

  const { status, result } = await seller.readFeed(url, feedId)
  expect(status).toBe('DONE')
  expect(result.summary).toMatchObject({ messagesProcessed: MESSAGES, messagesAccepted: MESSAGES })
  expect(await remains.events('LISTINGS_ITEM_MFN_QUANTITY_CHANGE')).toBe(MESSAGES)
  expect(await remains.events('FEED_PROCESSING_FINISHED')).toBe(1)
  expect(await remains.jobs()).toEqual([])
})
