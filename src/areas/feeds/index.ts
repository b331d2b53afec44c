import type { OrderWriter } from '../../marketplace/trade/order-writer.ts'
import { documentIdOf, MAX_DOCUMENT_BYTES } from './feed.ts'
import { createFeedJobs, type FeedJobDependencies } from './jobs.ts'
import { createFeedOperations, type FeedsDependencies as OperationDependencies } from './operations.ts'
import type { BulkListings } from './ports.ts'
import { createFeedProcessors } from './processing/processors.ts'
import { createFeedSweep, createUnusedDocumentSweep } from './retention.ts'
import { createFeedRoutes } from './routes.ts'

export type { Feed } from './feed.ts'
export { UNUSED_DOCUMENT_DAYS } from './feed.ts'
export { createFeedGauges } from './gauges.ts'
export { listUnusedDocumentIds } from './store/document-store.ts'
export { listFeedIds, listFeedsInProgress, listResultDocumentIds } from './store/feed-store.ts'

export type FeedsDependencies = OperationDependencies &
  Omit<FeedJobDependencies, 'processors'> & { listings: BulkListings; orders: OrderWriter }

export function createFeedsArea(dependencies: FeedsDependencies) {
  const { documents } = dependencies
  return {
    routes: createFeedRoutes(createFeedOperations(dependencies)),
    jobs: createFeedJobs({ ...dependencies, processors: createFeedProcessors(dependencies) }),
    sweeps: [createFeedSweep(documents), createUnusedDocumentSweep(documents)],
    due: [],
    expanders: {},
    uploads: {
      maxBytes: MAX_DOCUMENT_BYTES,
      /** The specification's response to the upload of a feed document. Other uploads have none. */
      renderResponse(key: string, url: string) {
        const feedDocumentId = documentIdOf(key)
        return feedDocumentId === undefined ? undefined : { url, feedDocumentId }
      },
    },
  }
}
