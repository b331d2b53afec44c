import { beforeAll, describe, expect, test } from 'vitest'
import { invalidateSummaries } from '../../../src/areas/pricing/index.ts'
import { refreshSummaries } from '../../../src/areas/pricing/summary/refresh.ts'
import { createOfferWriter } from '../../../src/marketplace/offers/offers.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import { testDialect } from '../../support/databases.ts'
import { startWatchedListings } from '../../support/listings.ts'
import { buildCompetitorOffer, type MarketClient, marketClient, US } from '../../support/market.ts'
import type { TestSouk } from '../../support/souk.ts'

const offers = createOfferWriter(invalidateSummaries)

describe('a summary', () => {
  let souk: TestSouk
  let market: MarketClient
  /** A separate connection, as in another process. */
  let elsewhere: Database
  beforeAll(async () => {
    const started = await startWatchedListings()
    ;({ souk } = started)
    elsewhere = started.database
    market = marketClient(souk, started.token)
  })

  const priceElsewhere = (asin: string, priceMinor: number) =>
    elsewhere.transact((tx) =>
      offers.upsertCompetitors(tx, [buildCompetitorOffer('AELSEWHERE', { asin, priceMinor })], souk.clock.now()),
    )
  const lowestOf = async (asin: string) =>
    (await market.summary(asin)).lowestPricedOffers[0].offers[0].listingPrice.amount

  test('is current after a change by another process', async () => {
    const asin = 'B0OTHERP01'
    await market.addProducts(asin)
    for (const price of [10, 9, 8, 11]) {
      await priceElsewhere(asin, price * 100)
      // A read may see the state of the previous event-loop tick.
      await new Promise((resolve) => setImmediate(resolve))
      expect(await lowestOf(asin)).toBe(price)
    }
  })

  // SQLite has one writer at a time, so no change can interleave.
  test.runIf(testDialect === 'postgres')('is not stored if an offer changed while it was computed', async () => {
    const asin = 'B0RACING01'
    await market.addProducts(asin)
    await priceElsewhere(asin, 1000)
    let attempts = 0
    await elsewhere.transact(async (tx) => {
      attempts++
      await refreshSummaries(tx, [{ marketplaceId: US, asin }], souk.clock.now())
      if (attempts === 1) await market.offer(buildCompetitorOffer('ACHEAPER', { asin, priceMinor: 500 }))
    })
    expect(attempts).toBe(2)
    expect(await lowestOf(asin)).toBe(5)
  })
})
