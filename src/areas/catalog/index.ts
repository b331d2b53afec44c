import { type CatalogDependencies, createCatalogOperations } from './operations.ts'
import { createCatalogRoutes } from './routes.ts'

export function createCatalogArea(dependencies: CatalogDependencies) {
  const operations = createCatalogOperations(dependencies)
  return { routes: createCatalogRoutes(operations), jobs: {}, sweeps: [], due: [], expanders: {} }
}
