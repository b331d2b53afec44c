import type { Offer } from '../../../marketplace/offers/offers.ts'
import type { Listing } from '../domain/listing.ts'
import { fulfillmentTypeOf } from '../domain/sale-terms.ts'
import type { Batch } from './batch.ts'

/** Updates the offer of a listing. A listing has an offer while it is buyable. */
export function syncOffer(batch: Batch, before: Listing | undefined, listing: Listing, now: Date): void {
  const isVisible = isVisibleToBuyers(before, listing)
  if (!isVisible && (!listing.isBuyable || before?.quantity === listing.quantity)) return
  const { sellerId, sku, marketplaceId, asin, conditionType } = listing
  if (before?.asin && before.asin !== asin) batch.removeOffer({ marketplaceId, asin: before.asin, sellerId, sku })
  if (asin === undefined) return
  const offer = toOffer(listing, now)
  if (offer) batch.putOffer(offer)
  else batch.removeOffer({ marketplaceId, asin, sellerId, sku })
  // Notifications do not contain quantities: a change of quantity alone is not visible to buyers.
  if (!isVisible) return
  const payload = { marketplaceId, asin, sku, conditionType }
  batch.events.push({ sellerId, type: 'OFFER_CHANGE', occurredAt: now, payload })
}

/** Whether the offer appears, disappears or changes its terms. */
function isVisibleToBuyers(before: Listing | undefined, after: Listing): boolean {
  const wasBuyable = before?.isBuyable ?? false
  if (wasBuyable !== after.isBuyable) return true
  if (!before || !after.isBuyable) return false
  return (
    before.asin !== after.asin ||
    before.price?.minor !== after.price?.minor ||
    before.price?.currencyCode !== after.price?.currencyCode ||
    before.conditionType !== after.conditionType ||
    before.channel !== after.channel
  )
}

/** Returns undefined if the listing is not buyable. */
export function toOffer(listing: Listing, now: Date): Offer | undefined {
  const { sellerId, sku, marketplaceId, asin, conditionType, price, quantity } = listing
  if (!listing.isBuyable || asin === undefined || !price) return undefined
  const fulfillmentType = fulfillmentTypeOf(listing)
  return {
    marketplaceId,
    asin,
    sellerId,
    sku,
    conditionType,
    fulfillmentType,
    priceMinor: price.minor,
    shippingMinor: 0,
    currencyCode: price.currencyCode,
    quantity: quantity ?? 1,
    // Marketplace-fulfilled offers are Prime everywhere.
    terms: fulfillmentType === 'AFN' ? { prime: 'NATIONAL' } : {},
    updatedAt: now,
  }
}
