import { createFeedOperations, type FeedsDependencies } from './operations.ts'
import { createFeedRetryHandlers } from './queue.ts'
import { createFeedRoutes } from './routes.ts'

export function createFeedsArea(dependencies: FeedsDependencies) {
  const operations = createFeedOperations(dependencies)
  return { operations, routes: createFeedRoutes(operations), revivers: createFeedRetryHandlers(dependencies) }
}
