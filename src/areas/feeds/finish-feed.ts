import type { Transaction } from '../../platform/database/port.ts'
import type { NewEvent, Outbox } from '../../platform/outbox/outbox.ts'
import type { Feed } from './feed.ts'
import { type QueueDependencies, startNextFeed } from './queue.ts'
import { moveFeed } from './store/feed-store.ts'

export interface EndingDependencies extends QueueDependencies {
  outbox: Outbox
}

type Ending = 'DONE' | 'FATAL' | 'CANCELLED'

/** Brings a feed to its end, tells of it, and gives the seller's next one its turn. */
export async function endFeed(
  tx: Transaction,
  dependencies: EndingDependencies,
  feed: Feed,
  status: Ending,
  { hasResult }: { hasResult: boolean },
): Promise<void> {
  const now = dependencies.clock.now()
  await moveFeed(tx, feed, status, { endedAt: now })
  await dependencies.outbox.append(tx, [finished(feed, status, hasResult, now)])
  await startNextFeed(tx, dependencies, feed.sellerId)
}

const finished = (
  { sellerId, feedId, feedType, resultDocumentId }: Feed,
  status: Ending,
  hasResult: boolean,
  now: Date,
): NewEvent => ({
  sellerId,
  type: 'FEED_PROCESSING_FINISHED',
  occurredAt: now,
  payload: {
    feedProcessingFinishedNotification: {
      sellerId,
      accountId: `amzn1.merchant.o.${sellerId}`,
      feedId,
      feedType,
      processingStatus: status,
      ...(hasResult && { resultFeedDocumentId: resultDocumentId }),
    },
  },
})
