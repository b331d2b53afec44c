import type { RivalOffer } from '../../marketplace/offers/offers.ts'
import { demoItemsIn, demoPriceMinor } from './catalog.ts'
import { DE, US } from './identities.ts'

const RIVALS = 30
const FEWEST = 2
const MOST = 25
const rivalId = (number: number) => `A9SOUKRIVAL${String((number % RIVALS) + 1).padStart(3, '0')}`

export const places = [
  { marketplaceId: US, currencyCode: 'USD', countryCode: 'US' },
  { marketplaceId: DE, currencyCode: 'EUR', countryCode: 'DE' },
]

// Every fourth offer is for something that is not new.
const secondHand = [
  { conditionType: 'used_very_good', share: 0.62 },
  { conditionType: 'used_acceptable', share: 0.41 },
  { conditionType: 'refurbished_refurbished', share: 0.74 },
  { conditionType: 'collectible_good', share: 1.9 },
  { conditionType: 'new_open_box', share: 0.88 },
] as const
// One rival in ten has made enemies.
const isDisliked = (number: number) => (number % RIVALS) % 10 === 6

/** Two to twenty-five rivals for every product of the demo, around the price that the demo sellers ask. */
export const demoOffers: readonly RivalOffer[] = places.flatMap(({ marketplaceId, currencyCode, countryCode }) =>
  demoItemsIn(marketplaceId).flatMap(({ asin }, index) =>
    Array.from({ length: FEWEST + ((index * 7) % (MOST - FEWEST + 1)) }, (_, rival): RivalOffer => {
      const old = rival % 4 === 3 ? secondHand[(index + rival) % secondHand.length] : undefined
      const isStocked = (index + rival) % 2 === 0
      const share = old?.share ?? 0.95 + 0.01 * ((index * 3 + rival * 5) % 20)
      const priceMinor = Math.round(demoPriceMinor(asin) * share)
      return {
        marketplaceId,
        asin,
        sellerId: rivalId(index + rival),
        conditionType: old?.conditionType ?? 'new_new',
        fulfillmentType: isStocked ? 'AFN' : 'MFN',
        priceMinor,
        shippingMinor: isStocked || rival === 1 ? 0 : 490,
        currencyCode,
        quantity: 3 + rival,
        terms: {
          prime: isStocked ? 'NATIONAL' : rival % 6 === 5 ? 'REGIONAL' : 'NONE',
          ...(rival % 8 === 4 && {
            points: { number: Math.round(priceMinor / 100), valueMinor: Math.round(priceMinor / 100) },
          }),
          ...(rival % 7 === 2 && { promotions: [{ type: 'COUPON', percentOff: 5 }] }),
          sellerFeedbackRating: {
            percentPositive: isDisliked(index + rival) ? 64 : 88 + ((index + rival) % 12),
            count: 40 + 113 * rival,
          },
          shipsFrom: { countryCode },
        },
      }
    }),
  ),
)
