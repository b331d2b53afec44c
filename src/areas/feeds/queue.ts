import type { Clock } from '../../platform/clock/port.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { JobQueue, JobRetryHandlers } from '../../platform/jobs/port.ts'
import type { Feed, FeedKey, Progress } from './feed.ts'
import { findNextFeed, insertFeed, markHasJob, resetFeed } from './store/feed-store.ts'

export interface FeedQueueDependencies {
  clock: Clock
  ids: Ids
  jobs: JobQueue
  /** How long a feed stays in each of its states at least. */
  delayMilliseconds: number
}

export const PROCESS_FEED = 'processFeed'

export type NewFeed = Pick<
  Feed,
  'sellerId' | 'applicationId' | 'feedType' | 'marketplaceIds' | 'options' | 'inputDocumentId' | 'inputVersion'
>

const NO_PROGRESS: Progress = { applied: 0, accepted: 0, invalid: 0, errors: 0, warnings: 0 }

/** Puts a new feed in the queue and answers its id. */
export async function enqueueFeed(
  tx: Transaction,
  dependencies: FeedQueueDependencies,
  feed: NewFeed,
): Promise<string> {
  const { clock, ids } = dependencies
  const queued = { ...feed, status: 'IN_QUEUE', hasJob: false, createdAt: clock.now(), progress: NO_PROGRESS } as const
  for (;;) {
    const feedId = ids.next('feed')
    if (!(await insertFeed(tx, { ...queued, feedId }))) continue
    await startNextFeed(tx, dependencies, feed.sellerId)
    return feedId
  }
}

/**
 * Of a seller's feeds one is processed at a time, the oldest first. So there is a job for one of them only: whenever a
 * feed comes or goes, the next one gets its turn unless another has it.
 */
export async function startNextFeed(
  tx: Transaction,
  { jobs, clock, delayMilliseconds }: FeedQueueDependencies,
  sellerId: string,
): Promise<void> {
  const next = await findNextFeed(tx, sellerId)
  if (!next || next.hasJob) return
  await markHasJob(tx, next)
  const payload: FeedKey = { sellerId, feedId: next.feedId }
  const earliest = next.createdAt.getTime() + delayMilliseconds
  const runAt = new Date(Math.max(earliest, clock.now().getTime()))
  await jobs.enqueue(tx, { kind: PROCESS_FEED, payload, runAt })
}

/**
 * A feed whose job was given up is FATAL without a result. Run again it goes on behind the message that was applied last,
 * before all other feeds of the seller that wait: it is the oldest.
 */
export function createFeedRetryHandlers(dependencies: FeedQueueDependencies): JobRetryHandlers {
  return {
    async [PROCESS_FEED](tx: Transaction, key: FeedKey) {
      if (!(await resetFeed(tx, key))) return 'obsolete'
      await startNextFeed(tx, dependencies, key.sellerId)
      return 'enqueued'
    },
  }
}
