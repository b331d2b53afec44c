import { dayOf, type PriceHistory } from '../../marketplace/market/index.ts'
import { demoItemsIn, demoPriceMinor } from './catalog.ts'
import { demoMarketplaces } from './offers.ts'

const DAYS = 90
const DAYS_BETWEEN_CHANGES = 9
/** Cork has become scarce: all who sell it ask twice what it used to cost, so that none of them is featured. */
export const OVERPRICED_ASIN = 'B0SOUK0006'

/** What was featured in the 90 days before `now`: it went up and down by a few hundredths. */
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
