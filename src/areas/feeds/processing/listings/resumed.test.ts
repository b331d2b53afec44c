import { expect, onTestFinished, test, vi } from 'vitest'
import { countTurns } from '../../../../../test/support/count-turns.ts'
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

function parse(applied: number): Promise<unknown> {
  const feed = { sellerId: 'A1', marketplaceIds: ['US'], progress: { applied } } as unknown as Feed
  return createListingsProcessor(listings, 'postgres').parse(document, feed, reader)
}

test('lets other work go on while it reads the messages that were applied before a crash', async () => {
  let time = 0
  const slow = vi.spyOn(performance, 'now').mockImplementation(() => (time += 1_000))
  onTestFinished(() => slow.mockRestore())
  const turns = await countTurns(parse(0))
  expect(await countTurns(parse(MESSAGES))).toBeGreaterThanOrEqual(turns + MESSAGES - 1)
})
