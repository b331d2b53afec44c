import type { Reader } from '../../platform/database/port.ts'
import type { NewEvent } from '../../platform/outbox/outbox.ts'
import { splitCondition } from '../conditions.ts'
import { unknownSellers } from '../sellers.ts'
import { findObstacle } from './featured-offer.ts'
import { canBeFeatured } from './market.ts'
import { describeOfferChange } from './offer-change-payload.ts'
import { describePricingHealth } from './pricing-health-payload.ts'
import { marketId } from './stale.ts'
import { readMarkets } from './store.ts'

/** That an offer for a product came, went, or has other terms. */
export interface OfferChange {
  marketplaceId: string
  asin: string
  conditionType: string
  occurredAt: Date
}

/**
 * What has to be told when an offer has changed: the market as it is now to every seller that Souk knows with an offer
 * for the product, and to those whose price keeps their offer from being featured, that it does.
 */
export async function tellOfOfferChange(reader: Reader, change: OfferChange): Promise<NewEvent[]> {
  const market = (await readMarkets(reader, [change], change.occurredAt)).get(marketId(change))
  if (!market || market.offers.length === 0) return []
  const sellerIds = [...new Set(market.offers.map(({ sellerId }) => sellerId))].sort()
  const unknown = await unknownSellers(reader, sellerIds)
  const known = sellerIds.filter((sellerId) => !unknown.has(sellerId))
  const described = describeOfferChange(market, change)
  const events = known.map(
    (sellerId): NewEvent => ({
      sellerId,
      type: 'ANY_OFFER_CHANGED',
      occurredAt: change.occurredAt,
      payload: { AnyOfferChangedNotification: { SellerId: sellerId, ...described } },
    }),
  )
  // Only what is new is featured: a change of what is used makes nothing healthier or worse.
  if (splitCondition(change.conditionType).condition !== 'New' || !canBeFeatured(market.product)) return events
  const { thresholdMinor } = market.references
  const tooHigh = market.offers.filter(
    (offer) => !unknown.has(offer.sellerId) && findObstacle(offer, thresholdMinor) === 'PRICE',
  )
  return [
    ...events,
    ...tooHigh.map((offer) => ({
      sellerId: offer.sellerId,
      type: 'PRICING_HEALTH',
      occurredAt: change.occurredAt,
      payload: describePricingHealth(market, offer, change),
    })),
  ]
}
