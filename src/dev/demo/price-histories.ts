import { dayOf, type PriceHistory } from '../../marketplace/market/index.ts'
import { demoItemsIn, demoPriceMinor } from './catalog.ts'
import { demoMarketplaces } from './offers.ts'

const DAYS = 90
const DAYS_BETWEEN_CHANGES = 9
/** The price of cork has doubled, so no offer for it is below the threshold and none is featured. */
export const OVERPRICED_ASIN = 'B0SOUK0006'

/** Featured prices of the 90 days before `now`, which vary by a few cents. */
export const demoPriceHistories = (now: Date): PriceHistory[] =>
  demoMarketplaces.flatMap(({ marketplaceId, currencyCode }) =>
    demoItemsIn(marketplaceId).map(({ asin }, index) => {
      const usual = demoPriceMinor(asin) * (asin === OVERPRICED_ASIN ? 0.5 : 1)
      const closings = Array.from({ length: DAYS / DAYS_BETWEEN_CHANGES }, (_, change) => {
        const day = dayOf(now) - DAYS + change * DAYS_BETWEEN_CHANGES
        return [day, Math.round(usual * (0.96 + 0.01 * ((index + change * 3) % 9)))] as const
      })
      return { marketplaceId, asin, currencyCode, closings }
    }),
  )
