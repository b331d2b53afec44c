import { createPricingConsoleOperations } from './console/operations.ts'
import { createExpectedPriceOperations } from './expected-price/operations.ts'
import { offerChanges } from './notifications/offer-change.ts'
import type { PricingDependencies } from './ports.ts'
import { createPricingRoutes } from './routes.ts'
import { createSummaryOperations } from './summary/operations.ts'
import { createPricingV0Operations } from './v0/operations.ts'

export { invalidateSummaries } from './summary/invalidation.ts'

export function createPricingArea(dependencies: PricingDependencies) {
  const routes = createPricingRoutes({
    summary: createSummaryOperations(dependencies),
    expectedPrice: createExpectedPriceOperations(dependencies),
    v0: createPricingV0Operations(dependencies),
    console: createPricingConsoleOperations(dependencies),
  })
  return { routes, jobs: {}, sweeps: [], due: [], expanders: { OFFER_CHANGE: offerChanges } }
}
