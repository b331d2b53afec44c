import { type Condition, splitCondition } from './conditions.ts'
import type { Offer } from './offers.ts'

/** Offers of one condition and fulfillment channel. */
export interface OfferGroup {
  condition: Condition
  fulfillmentType: Offer['fulfillmentType']
  /** In the order of the input. */
  offers: readonly [Offer, ...Offer[]]
}

/** Orders groups by their first offer in the input. */
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
