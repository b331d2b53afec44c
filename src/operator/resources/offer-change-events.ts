import { isDeepStrictEqual } from 'node:util'
import {
  type CompetitorOffer,
  findOffers,
  type Offer,
  type OfferKey,
  renderOffer,
  UNDISCLOSED_SKU,
} from '../../marketplace/offers/offers.ts'
import type { Reader } from '../../platform/database/port.ts'
import type { NewEvent } from '../../platform/outbox/outbox.ts'

type Changed = OfferKey & { conditionType: string }

const keyOf = ({ marketplaceId, asin, sellerId, sku }: OfferKey) => [marketplaceId, asin, sellerId, sku].join(' ')

/** What changes for buyers when these offers are written. To write what is there already is no change, nor is another quantity. */
export async function createOfferEvents(
  reader: Reader,
  offers: readonly CompetitorOffer[],
  now: Date,
): Promise<NewEvent[]> {
  const complete = offers.map((offer) => ({ sku: UNDISCLOSED_SKU, shippingMinor: 0, quantity: 1, terms: {}, ...offer }))
  const before = new Map((await findOffers(reader, complete)).map((offer) => [keyOf(offer), offer]))
  const changed = complete.flatMap((offer): Changed[] => {
    const was = before.get(keyOf(offer))
    // How many there are is in no notification.
    if (was && isDeepStrictEqual({ ...renderOffer(was), quantity: offer.quantity }, offer)) return []
    return was && was.conditionType !== offer.conditionType ? [was, offer] : [offer]
  })
  return toDistinctEvents(changed, now)
}

export const createRemovalEvents = (offer: Offer, now: Date): NewEvent[] => toDistinctEvents([offer], now)

/** One for each product and condition, however many of its offers change at once: those who sell it see all of them. */
function toDistinctEvents(changed: readonly Changed[], now: Date): NewEvent[] {
  const events = new Map<string, NewEvent>()
  for (const { sellerId, marketplaceId, asin, conditionType } of changed) {
    const id = [marketplaceId, asin, conditionType].join(' ')
    const payload = { marketplaceId, asin, conditionType }
    if (!events.has(id)) events.set(id, { sellerId, type: 'OFFER_CHANGE', occurredAt: now, payload })
  }
  return [...events.values()]
}
