import { expect, onTestFinished, test, vi } from 'vitest'
import type { Reader } from '../../../../platform/database/port.ts'
import type { Feed } from '../../feed.ts'
import type { BulkListings } from '../../ports.ts'
import { createListingsProcessor } from './index.ts'

const MESSAGES = 500

const listings: BulkListings = {
  dataSets: [],
  prepare: () => Promise.reject(new Error('Nothing is applied')),
  render: () => Promise.reject(new Error('Nothing is rendered')),
}
const reader = {
  all: async () => [{ marketplace_id: 'US', currency_code: 'USD', language_code: 'en_US' }],
} as unknown as Reader
const document = Buffer.from(
  JSON.stringify({
    header: { sellerId: 'A1', version: '2.0' },
    messages: Array.from({ length: MESSAGES }, (_, index) => ({
      messageId: index + 1,
      sku: 'S',
      operationType: 'DELETE',
    })),
  }),
)

/** Counts how often other work of the process can go on while the document of a feed is read. */
async function countTurns(applied: number): Promise<number> {
  const feed = { sellerId: 'A1', marketplaceIds: ['US'], progress: { applied } } as unknown as Feed
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await createListingsProcessor(listings, 'postgres').parse(document, feed, reader)
  isDone = true
  return turns
}

test('lets other work go on while it reads the messages that were applied before a crash', async () => {
  let time = 0
  const slow = vi.spyOn(performance, 'now').mockImplementation(() => (time += 1_000))
  onTestFinished(() => slow.mockRestore())
  const turns = await countTurns(0)
  expect(await countTurns(MESSAGES)).toBeGreaterThanOrEqual(turns + MESSAGES - 1)
})
