import type { Transaction } from '../../platform/database/port.ts'
import type { NewEvent, Outbox } from '../../platform/outbox/outbox.ts'
import type { Feed } from './feed.ts'
import { type FeedQueueDependencies, startNextFeed } from './queue.ts'
import { updateFeedStatus } from './store/feed-store.ts'

export interface FinishFeedDependencies extends FeedQueueDependencies {
  outbox: Outbox
}

type FinalStatus = 'DONE' | 'FATAL' | 'CANCELLED'

/** Finishes a feed, publishes FEED_PROCESSING_FINISHED and starts the seller's next feed. */
export async function finishFeed(
  tx: Transaction,
  dependencies: FinishFeedDependencies,
  feed: Feed,
  status: FinalStatus,
  { hasResult }: { hasResult: boolean },
): Promise<void> {
  const now = dependencies.clock.now()
  await updateFeedStatus(tx, feed, status, { endedAt: now })
  await dependencies.outbox.append(tx, [finishedEvent(feed, status, hasResult, now)])
  await startNextFeed(tx, dependencies, feed.sellerId)
}

const finishedEvent = (
  { sellerId, feedId, feedType, resultDocumentId }: Feed,
  status: FinalStatus,
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
