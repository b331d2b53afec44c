import type { Clock } from '../../platform/clock/port.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { JobQueue } from '../../platform/jobs/port.ts'
import type { Feed, FeedKey, Progress } from './feed.ts'
import { findNewestCreation, findNextFeed, insertFeed, markHasJob } from './store/feed-store.ts'

export interface FeedQueueDependencies {
  clock: Clock
  ids: Ids
  jobs: JobQueue
  /** Minimum time that a feed spends in each status. */
  delayMilliseconds: number
}

export const PROCESS_FEED = 'processFeed'

export type NewFeed = Pick<
  Feed,
  'sellerId' | 'applicationId' | 'feedType' | 'marketplaceIds' | 'options' | 'inputDocumentId' | 'inputVersion'
>

const NO_PROGRESS: Progress = { applied: 0, accepted: 0, invalid: 0, errors: 0, warnings: 0 }

/** Returns the id of the new feed. */
export async function enqueueFeed(
  tx: Transaction,
  dependencies: FeedQueueDependencies,
  feed: NewFeed,
): Promise<string> {
  const { ids } = dependencies
  const createdAt = await nextCreationTime(tx, dependencies, feed.sellerId)
  const queued = { ...feed, status: 'IN_QUEUE', hasJob: false, createdAt, progress: NO_PROGRESS } as const
  for (;;) {
    const feedId = ids.next('feed')
    if (!(await insertFeed(tx, { ...queued, feedId }))) continue
    await startNextFeed(tx, dependencies, feed.sellerId)
    return feedId
  }
}

/**
 * Feeds are processed in the order of their creation times. The clock does not give it alone: that of the stand-in can
 * stand still, and those of several processes differ.
 */
async function nextCreationTime(tx: Transaction, { clock }: FeedQueueDependencies, sellerId: string): Promise<Date> {
  const now = clock.now()
  const newest = await findNewestCreation(tx, sellerId)
  return newest && newest >= now ? new Date(newest.getTime() + 1) : now
}

/**
 * Creates a job for the seller's oldest unfinished feed unless one of them already has a job. Called whenever a feed is
 * created or finished, so that a seller's feeds are processed one at a time, oldest first.
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
  const now = clock.now().getTime()
  const earliest = Math.min(next.createdAt.getTime(), now) + delayMilliseconds
  const runAt = new Date(Math.max(earliest, now))
  await jobs.enqueue(tx, { kind: PROCESS_FEED, payload, runAt, owner: sellerId })
}
