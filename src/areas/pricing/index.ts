import { offerChanges } from './notifications/offer-change.ts'
import { createPricingRoutes } from './routes.ts'
import { createPricingOperations, type PricingDependencies } from './summary/operations.ts'

export { invalidateSummaries } from './summary/invalidation.ts'

export function createPricingArea(dependencies: PricingDependencies) {
  const operations = createPricingOperations(dependencies)
  return { routes: createPricingRoutes(operations), expanders: { OFFER_CHANGE: offerChanges } }
}
