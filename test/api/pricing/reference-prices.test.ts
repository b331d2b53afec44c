import { beforeAll, describe, expect, test } from 'vitest'
import { buildCompetitorOffer, type MarketClient, marketClient, startMarket } from '../../support/market.ts'
import type { TestSouk } from '../../support/souk.ts'

const DAY = 24 * 60 * 60 * 1000

describe('reference prices', () => {
  let souk: TestSouk
  let market: MarketClient
  beforeAll(async () => {
    ;({ souk, market } = await startMarket())
  })

  const referencesOf = async (asin: string) => {
    const { referencePrices } = await market.summary(asin)
    return Object.fromEntries(
      referencePrices.map(({ name, price }: { name: string; price: { amount: number } }) => [name, price.amount]),
    )
  }
  /** Days pass; the token with which a test began does not outlive them. */
  const pass = async (days: number) => {
    souk.clock.advance(days * DAY)
    market = marketClient(souk, await souk.tokenFor(souk.demo.refreshToken))
  }

  test('derive from the days before: the median featured price, and a threshold 20 % above it', async () => {
    const asin = 'B0HISTORY1'
    const competitor = buildCompetitorOffer('AHISTORY', { asin, priceMinor: 1000 })
    await market.addProducts(asin)
    await market.offer(competitor)
    expect(await referencesOf(asin)).toEqual({ CompetitivePrice: 10 })
    await pass(1)
    expect(await referencesOf(asin)).toEqual({ CompetitivePrice: 10, WasPrice: 10, CompetitivePriceThreshold: 12 })
    await market.offer({ ...competitor, priceMinor: 1100 })
    expect(await referencesOf(asin)).toEqual({ CompetitivePrice: 11, WasPrice: 10, CompetitivePriceThreshold: 12 })
    await pass(2)
    expect(await referencesOf(asin)).toEqual({ CompetitivePrice: 11, WasPrice: 11, CompetitivePriceThreshold: 13.2 })
  })

  test('prevent an offer far above earlier prices from being featured for 90 days', async () => {
    const asin = 'B0GOUGING1'
    const competitor = buildCompetitorOffer('AGOUGER', { asin, priceMinor: 1000 })
    await market.addProducts(asin)
    await market.offer(competitor)
    expect(await market.featured(asin)).toBe('AGOUGER')
    await pass(3)
    await market.offer({ ...competitor, priceMinor: 1201 })
    expect(await market.featured(asin)).toBeUndefined()
    await market.offer({ ...competitor, priceMinor: 1200 })
    expect(await market.featured(asin)).toBe('AGOUGER')
    await market.offer({ ...competitor, priceMinor: 5000 })
    expect(await market.featured(asin)).toBeUndefined()
    await pass(89)
    expect(await market.featured(asin)).toBeUndefined()
    await pass(2)
    expect(await market.featured(asin)).toBe('AGOUGER')
  })
})
