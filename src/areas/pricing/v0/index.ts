import { createPricingV0Operations, type PricingV0Dependencies } from './operations.ts'
import { createPricingV0Routes } from './routes.ts'

export function createPricingV0Area(dependencies: PricingV0Dependencies) {
  const operations = createPricingV0Operations(dependencies)
  return { operations, routes: createPricingV0Routes(operations) }
}
