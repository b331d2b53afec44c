import { createRestrictionOperations, type RestrictionsDependencies } from './operations.ts'
import { createRestrictionRoutes } from './routes.ts'

export function createRestrictionsArea(dependencies: RestrictionsDependencies) {
  const operations = createRestrictionOperations(dependencies)
  return { routes: createRestrictionRoutes(operations), jobs: {}, sweeps: [], due: [], expanders: {} }
}
