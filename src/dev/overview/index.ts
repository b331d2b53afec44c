import { Activity } from './activity.ts'
import { createOverviewOperations, type OverviewDependencies } from './operations.ts'
import { createOverviewRoutes } from './routes.ts'

/** What happens in one stand-in, for the first page of its console. */
export function createOverview(dependencies: Omit<OverviewDependencies, 'activity'>) {
  const activity = new Activity()
  return {
    /** On all routes that are registered later. */
    hooks: activity.hooks,
    routes: createOverviewRoutes(createOverviewOperations({ ...dependencies, activity })),
  }
}
