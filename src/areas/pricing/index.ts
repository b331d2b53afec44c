import { createPricingOperations, type PricingDependencies } from './operations.ts'
import { createPricingRoutes } from './routes.ts'

export function createPricingArea(dependencies: PricingDependencies) {
  const operations = createPricingOperations(dependencies)
  return { operations, routes: createPricingRoutes(operations) }
}
