import { beforeAll, describe, expect, test } from 'vitest'
import { buildCompetitorOffer, DE, type MarketClient, startMarket, US } from '../../support/market.ts'
import { DAY, JP, registerSeller } from '../../support/seller-client.ts'
import { errorOf, type TestSouk } from '../../support/souk.ts'

const ASIN = 'B0CONSOLE1'
const usd = (amount: number) => ({ amount, currencyCode: 'USD' })

let souk: TestSouk
let market: MarketClient
let token: string

beforeAll(async () => {
  ;({ souk, market } = await startMarket())
  await market.addProducts(ASIN)
})

const get = async (what: string, { asin = ASIN, marketplaceId = US } = {}) => {
  token = await souk.tokenFor(souk.demo.refreshToken)
  return souk.get(`/console/v1/products/${asin}/${what}?marketplaceId=${marketplaceId}`, { token })
}
const offersOf = async (asin?: string) => (await get('offers', asin === undefined ? {} : { asin })).json()
const historyOf = async () => (await get('priceHistory')).json()

describe('the offers of a product', () => {
  test('say who is featured and why the others are not', async () => {
    await market.offer(
      buildCompetitorOffer('AFBA', { asin: ASIN, fulfillmentType: 'AFN', priceMinor: 2030 }),
      buildCompetitorOffer('ACHEAP', { asin: ASIN, priceMinor: 1900, shippingMinor: 100 }),
      buildCompetitorOffer('AUSED', { asin: ASIN, priceMinor: 500, conditionType: 'used_very_good' }),
      buildCompetitorOffer('APOOR', {
        asin: ASIN,
        priceMinor: 600,
        terms: { sellerFeedbackRating: { percentPositive: 50, count: 20 } },
      }),
    )
    const { offers, ...product } = await offersOf()
    expect(product).toEqual({
      asin: ASIN,
      marketplaceId: US,
      currencyCode: 'USD',
      competitivePrice: usd(20),
      offerCount: 4,
    })
    expect(offers[0]).toEqual({
      sellerId: 'AFBA',
      isOwn: false,
      condition: 'New',
      subCondition: 'New',
      fulfillmentType: 'AFN',
      listingPrice: usd(20.3),
      shippingPrice: usd(0),
      landedPrice: usd(20.3),
      prime: 'NONE',
      isFeatured: true,
      isEligible: true,
      rank: 1,
      bonuses: { fulfilledByMarketplacePercent: 2, primePercent: 0, excellentSellerPercent: 0 },
      priceAfterBonuses: usd(19.89),
      reason: 'It has the lowest price after bonuses of all eligible offers.',
    })
    expect(offers.slice(1)).toMatchObject([
      { sellerId: 'ACHEAP', rank: 2, isEligible: true, isFeatured: false, lostBy: 'PRICE_AFTER_BONUSES' },
      { sellerId: 'AUSED', isEligible: false, ineligibility: 'CONDITION', landedPrice: usd(5) },
      { sellerId: 'APOOR', isEligible: false, ineligibility: 'SELLER_RATING' },
    ])
    expect(offers[3].reason).toBe('Only 50 % of the ratings of its seller are positive, and 80 % are required.')
    expect(await market.featured(ASIN)).toBe('AFBA')
  })

  test("mark the seller's own, with its SKU", async () => {
    const { offers } = await offersOf('B0SOUK0001')
    const own = offers.filter(({ isOwn }: { isOwn: boolean }) => isOwn)
    expect(own.length).toBeGreaterThan(0)
    expect(own[0]).toMatchObject({ sellerId: souk.demo.sellerId, sku: expect.any(String) })
    for (const offer of offers) expect(Object.hasOwn(offer, 'sku')).toBe(offer.isOwn)
  })
})

describe('the price history of a product', () => {
  test('has the featured price of each day, and the days on which it changed', async () => {
    const today = (days = 0) => new Date(souk.clock.now().getTime() + days * DAY).toISOString().slice(0, 10)
    expect((await historyOf()).days).toEqual([{ date: today(), featuredPrice: usd(20.3) }])

    souk.clock.advance(2 * DAY)
    await market.offer(buildCompetitorOffer('AFBA', { asin: ASIN, fulfillmentType: 'AFN', priceMinor: 2010 }))
    const history = await historyOf()
    expect(history).toMatchObject({ asin: ASIN, marketplaceId: US, currencyCode: 'USD', lowestPrice: usd(5) })
    expect(history.days.at(-1)).toEqual({ date: today(), featuredPrice: usd(20.1) })
    expect(history.events.at(-1)).toEqual({ date: today(), kind: 'LOWERED', featuredPrice: usd(20.1) })
  })

  test('of the demo marketplace has 90 days and today', async () => {
    const { days, events, wasPrice, thresholdPrice } = (await get('priceHistory', { asin: 'B0SOUK0001' })).json()
    expect(days).toHaveLength(91)
    expect(events.length).toBeLessThanOrEqual(91)
    expect(events[0].kind).toBe('FIRST_KNOWN')
    expect(wasPrice.amount).toBeLessThan(thresholdPrice.amount)
  })
})

describe.each(['offers', 'priceHistory'])('the %s of a product', (what) => {
  test('need a product and a marketplace of the seller', async () => {
    expect(errorOf(await get(what, { asin: 'B0NOTHING1' }))).toMatchObject({ status: 404, code: 'NotFound' })
    expect(errorOf(await get(what, { marketplaceId: 'NOWHERE' }))).toMatchObject({ status: 400 })
    const outsider = await souk.tokenFor(await registerSeller(souk, `AOUT${what.toUpperCase()}`, [JP]))
    const refused = await souk.get(`/console/v1/products/${ASIN}/${what}?marketplaceId=${DE}`, { token: outsider })
    expect(errorOf(refused)).toMatchObject({ status: 403, code: 'Unauthorized' })
  })
})
