import { createSellerOperations, type SellersDependencies } from './operations.ts'
import { createSellerRoutes } from './routes.ts'

export function createSellersArea(dependencies: SellersDependencies) {
  const operations = createSellerOperations(dependencies)
  return { routes: createSellerRoutes(operations), jobs: {}, sweeps: [], due: [], expanders: {} }
}
