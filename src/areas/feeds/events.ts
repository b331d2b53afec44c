import type { NewEvent } from '../../platform/outbox/outbox.ts'
import type { Feed } from './feed.ts'

/** What those who follow feeds are told when one has ended. */
export function tellFinished(
  { sellerId, feedId, feedType, resultDocumentId }: Feed,
  status: 'DONE' | 'FATAL' | 'CANCELLED',
  hasResult: boolean,
  now: Date,
): NewEvent {
  return {
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
  }
}
