import type { RivalOffer } from '../../marketplace/offers.ts'
import { demoItemsIn, demoPriceMinor } from './catalog.ts'
import { DE, US } from './identities.ts'

const RIVALS = 7
const rivalId = (number: number) => `A9SOUKRIVAL${String((number % RIVALS) + 1).padStart(3, '0')}`

const places = [
  { marketplaceId: US, currencyCode: 'USD', countryCode: 'US' },
  { marketplaceId: DE, currencyCode: 'EUR', countryCode: 'DE' },
]

/** Two to five rivals for every product of the demo, around the price that the demo sellers ask. */
export const demoOffers: readonly RivalOffer[] = places.flatMap(({ marketplaceId, currencyCode, countryCode }) =>
  demoItemsIn(marketplaceId).flatMap(({ asin }, index) =>
    Array.from({ length: 2 + (index % 4) }, (_, rival): RivalOffer => {
      const isUsed = rival === 3
      const isStocked = (index + rival) % 2 === 0
      const share = isUsed ? 0.62 : 0.95 + 0.04 * ((index + rival * 2) % 4)
      return {
        marketplaceId,
        asin,
        sellerId: rivalId(index + rival),
        conditionType: isUsed ? 'used_very_good' : 'new_new',
        fulfillmentType: isStocked ? 'AFN' : 'MFN',
        priceMinor: Math.round(demoPriceMinor(asin) * share),
        shippingMinor: isStocked || rival === 1 ? 0 : 490,
        currencyCode,
        quantity: 3 + rival,
        terms: {
          prime: isStocked ? 'NATIONAL' : 'NONE',
          sellerFeedbackRating: { percentPositive: 88 + ((index + rival) % 12), count: 40 + 113 * rival },
          shipsFrom: { countryCode },
        },
      }
    }),
  ),
)
