import { isDeepStrictEqual } from 'node:util'
import type { Reader } from '../../platform/database/port.ts'
import type { NewEvent } from '../../platform/outbox/outbox.ts'
import {
  type CompetitorOffer,
  findOffers,
  type Offer,
  type OfferKey,
  offerId,
  renderOffer,
  withDefaults,
} from './offers.ts'

type Changed = OfferKey & { conditionType: string }

/** Returns what changes for buyers when these offers are written. Identical offers and other quantities are no change. */
export async function createOfferEvents(
  reader: Reader,
  offers: readonly CompetitorOffer[],
  now: Date,
): Promise<NewEvent[]> {
  const complete = offers.map(withDefaults)
  const before = new Map((await findOffers(reader, complete)).map((offer) => [offerId(offer), offer]))
  const changed = complete.flatMap((offer): Changed[] => {
    const was = before.get(offerId(offer))
    // Notifications do not contain the quantity.
    if (was && isDeepStrictEqual({ ...renderOffer(was), quantity: offer.quantity }, offer)) return []
    return was && was.conditionType !== offer.conditionType ? [was, offer] : [offer]
  })
  return toDistinctEvents(changed, now)
}

export const createRemovalEvents = (offers: readonly Offer[], now: Date): NewEvent[] => toDistinctEvents(offers, now)

/** Creates one event per product and condition, because a notification contains all offers of both. */
function toDistinctEvents(changed: readonly Changed[], now: Date): NewEvent[] {
  const events = new Map<string, NewEvent>()
  for (const { sellerId, marketplaceId, asin, conditionType } of changed) {
    const id = [marketplaceId, asin, conditionType].join(' ')
    const payload = { marketplaceId, asin, conditionType }
    if (!events.has(id)) events.set(id, { sellerId, type: 'OFFER_CHANGE', occurredAt: now, payload })
  }
  return [...events.values()]
}
