import { expect, test } from 'vitest'
import { ManualClock } from '../../../../platform/clock/manual-clock.ts'
import type { Reader, Transaction } from '../../../../platform/database/port.ts'
import type { Feed } from '../../feed.ts'
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

test('one step applies many small messages of an order feed, or a million characters of large ones', async () => {
  const small = await planOf('<Message/>', 300)
  expect(await small.apply(unused, 0, 250)).toHaveLength(250)
  expect(await small.apply(unused, 250, 250)).toHaveLength(50)
  const large = await planOf(`<Message>${'<a/>'.repeat(150_000)}</Message>`, 5)
  expect(await large.apply(unused, 0, 250)).toHaveLength(2)
  expect(await large.apply(unused, 2, 250)).toHaveLength(2)
  expect(await large.apply(unused, 4, 250)).toHaveLength(1)
})
