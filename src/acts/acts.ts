import { createBuyerActs } from './buyer.ts'
import { createCarrierActs } from './carrier.ts'
import { createCompetitorActs } from './competitor.ts'
import type { ActDependencies } from './dependencies.ts'

export type Acts = ReturnType<typeof createActs>

/** What buyers, carriers and competitors do, each in one call. */
export const createActs = (dependencies: ActDependencies) => ({
  buyer: createBuyerActs(dependencies),
  carrier: createCarrierActs(dependencies),
  competitor: createCompetitorActs(dependencies),
})
