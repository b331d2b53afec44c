import type { CompetitorOffer } from '../../marketplace/offers/offers.ts'
import { demoItemsIn, demoPriceMinor } from './catalog.ts'
import { DE, US } from './identities.ts'

const COMPETITORS = 30
const MIN_OFFERS = 2
const MAX_OFFERS = 25
const competitorId = (number: number) => `A9SOUKRIVAL${String((number % COMPETITORS) + 1).padStart(3, '0')}`

export const demoMarketplaces = [
  { marketplaceId: US, currencyCode: 'USD', countryCode: 'US' },
  { marketplaceId: DE, currencyCode: 'EUR', countryCode: 'DE' },
]

// Every fourth offer is not for a new item.
const usedConditions = [
  { conditionType: 'used_very_good', share: 0.62 },
  { conditionType: 'used_acceptable', share: 0.41 },
  { conditionType: 'refurbished_refurbished', share: 0.74 },
  { conditionType: 'collectible_good', share: 1.9 },
  { conditionType: 'new_open_box', share: 0.88 },
] as const
// One competitor in ten has bad ratings.
const isPoorlyRated = (number: number) => (number % COMPETITORS) % 10 === 6

/** Two to 25 competitors' offers for every demo product, around the price of the demo sellers. */
export const demoOffers: readonly CompetitorOffer[] = demoMarketplaces.flatMap(
  ({ marketplaceId, currencyCode, countryCode }) =>
    demoItemsIn(marketplaceId).flatMap(({ asin }, index) =>
      Array.from(
        { length: MIN_OFFERS + ((index * 7) % (MAX_OFFERS - MIN_OFFERS + 1)) },
        (_, offerIndex): CompetitorOffer => {
          const usedOffer =
            offerIndex % 4 === 3 ? usedConditions[(index + offerIndex) % usedConditions.length] : undefined
          const isFulfilledByMarketplace = (index + offerIndex) % 2 === 0
          const share = usedOffer?.share ?? 0.95 + 0.01 * ((index * 3 + offerIndex * 5) % 20)
          const priceMinor = Math.round(demoPriceMinor(asin) * share)
          return {
            marketplaceId,
            asin,
            sellerId: competitorId(index + offerIndex),
            conditionType: usedOffer?.conditionType ?? 'new_new',
            fulfillmentType: isFulfilledByMarketplace ? 'AFN' : 'MFN',
            priceMinor,
            shippingMinor: isFulfilledByMarketplace || offerIndex === 1 ? 0 : 490,
            currencyCode,
            quantity: 3 + offerIndex,
            terms: {
              prime: isFulfilledByMarketplace ? 'NATIONAL' : offerIndex % 6 === 5 ? 'REGIONAL' : 'NONE',
              ...(offerIndex % 8 === 4 && {
                points: { number: Math.round(priceMinor / 100), valueMinor: Math.round(priceMinor / 100) },
              }),
              ...(offerIndex % 7 === 2 && { promotions: [{ type: 'COUPON', percentOff: 5 }] }),
              sellerFeedbackRating: {
                percentPositive: isPoorlyRated(index + offerIndex) ? 64 : 88 + ((index + offerIndex) % 12),
                count: 40 + 113 * offerIndex,
              },
              shipsFrom: { countryCode },
            },
          }
        },
      ),
    ),
)
