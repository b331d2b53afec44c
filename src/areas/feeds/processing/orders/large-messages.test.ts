import { expect, test } from 'vitest'
import { ManualClock } from '../../../../platform/clock/manual-clock.ts'
import type { Reader, Transaction } from '../../../../platform/database/port.ts'
import type { Feed } from '../../feed.ts'
import type { FeedPlan } from '../processor.ts'
import { createOrderProcessor } from './index.ts'

const feed = { sellerId: 'A1', marketplaceIds: [], progress: { applied: 0 } } as unknown as Feed
// Every message is refused, so there is nothing to look up or to write.
const unused = {} as Reader & Transaction
const orders = { put: async () => {}, update: async () => {} }

const planOf = (message: string, count: number) =>
  createOrderProcessor('OrderFulfillment', { clock: new ManualClock('2026-06-01T12:00:00.000Z'), orders }).parse(
    Buffer.from(
      '<AmazonEnvelope><Header><MerchantIdentifier>A1</MerchantIdentifier></Header>' +
        `<MessageType>OrderFulfillment</MessageType>${message.repeat(count)}</AmazonEnvelope>`,
    ),
    feed,
    unused,
  )

const countInStep = async (plan: FeedPlan, first: number) =>
  (await (await plan.prepare(unused, first, 250)).write()).length

test('one step applies many small messages of an order feed, or a million characters of large ones', async () => {
  const small = await planOf('<Message/>', 300)
  expect(await countInStep(small, 0)).toBe(250)
  expect(await countInStep(small, 250)).toBe(50)
  const large = await planOf(`<Message>${'<a/>'.repeat(150_000)}</Message>`, 5)
  expect(await countInStep(large, 0)).toBe(2)
  expect(await countInStep(large, 2)).toBe(2)
  expect(await countInStep(large, 4)).toBe(1)
})
