import { type Condition, splitCondition } from './conditions.ts'
import type { Offer } from './offers.ts'

/** Offers that buyers compare with each other: of one condition, shipped by the same side. */
export interface OfferGroup {
  condition: Condition
  fulfillmentType: Offer['fulfillmentType']
  /** The lowest landed price first, if they were given so. */
  offers: readonly [Offer, ...Offer[]]
}

/** In the order in which the first of each stands in the list. */
export function groupOffers(offers: readonly Offer[]): OfferGroup[] {
  const groups = Map.groupBy(offers, (offer) =>
    [splitCondition(offer.conditionType).condition, offer.fulfillmentType].join(' '),
  )
  return [...groups.values()].map((members) => {
    const [first, ...others] = members as [Offer, ...Offer[]]
    const { condition } = splitCondition(first.conditionType)
    return { condition, fulfillmentType: first.fulfillmentType, offers: [first, ...others] }
  })
}
