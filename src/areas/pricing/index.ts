import { createPricingRoutes } from './routes.ts'
import { createPricingOperations, type PricingDependencies } from './summary/operations.ts'

export function createPricingArea(dependencies: PricingDependencies) {
  const operations = createPricingOperations(dependencies)
  return { operations, routes: createPricingRoutes(operations) }
}
