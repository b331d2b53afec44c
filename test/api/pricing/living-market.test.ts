import { beforeAll, describe, expect, test } from 'vitest'
import { setPrice, setQuantity } from '../../support/listings.ts'
import { buildCompetitorOffer, type MarketClient, startMarket, US } from '../../support/market.ts'
import type { TestSouk } from '../../support/souk.ts'

const MINUTE = 60 * 1000
const SKU = 'SOUK-SHOE-001'
const SHOE = 'B0SOUK0001'

describe('the market', () => {
  let souk: TestSouk
  let market: MarketClient
  let listings: Awaited<ReturnType<typeof startMarket>>['listings']
  beforeAll(async () => {
    ;({ souk, market, listings } = await startMarket())
  })

  const offersOf = async (asin: string) => {
    const { lowestPricedOffers } = await market.summary(asin)
    return lowestPricedOffers[0].offers as { sellerId: string; listingPrice: { amount: number } }[]
  }
  const namesOf = async (asin: string) => (await offersOf(asin)).map(({ sellerId }) => sellerId)

  test("contains a seller's new price immediately after a patch", async () => {
    expect(await market.featured(SHOE)).not.toBe(souk.demo.sellerId)
    await listings.patch(SKU, [setPrice(60)])
    expect(await market.featured(SHOE)).toBe(souk.demo.sellerId)
    expect((await offersOf(SHOE))[0]).toMatchObject({ sellerId: souk.demo.sellerId, listingPrice: { amount: 60 } })
    await listings.patch(SKU, [setPrice(89.9)])
    expect(await market.featured(SHOE)).not.toBe(souk.demo.sellerId)
  })

  test('removes the offer of a listing without stock, and restores it with the stock', async () => {
    const own = async () => (await offersOf(SHOE)).filter(({ listingPrice }) => listingPrice.amount === 88.88)
    await listings.patch(SKU, [setPrice(88.88)])
    expect(await own()).toHaveLength(1)
    await listings.patch(SKU, [setQuantity(0)])
    expect(await own()).toHaveLength(0)
    await listings.patch(SKU, [setQuantity(3)])
    expect(await own()).toHaveLength(1)
  })

  test('starts and ends a discount at its scheduled time', async () => {
    const at = (milliseconds: number) => new Date(souk.clock.now().getTime() + milliseconds).toISOString()
    const schedule = { value_with_tax: 50, start_at: at(10 * MINUTE), end_at: at(20 * MINUTE) }
    await listings.patch(SKU, [
      {
        op: 'replace',
        path: '/attributes/purchasable_offer',
        value: [
          {
            currency: 'USD',
            our_price: [{ schedule: [{ value_with_tax: 89.9 }] }],
            discounted_price: [{ schedule: [schedule] }],
          },
        ],
      },
    ])
    const own = async () => (await offersOf(SHOE)).some(({ listingPrice }) => listingPrice.amount === 50)
    expect(await own()).toBe(false)
    souk.clock.advance(11 * MINUTE)
    await souk.idle()
    expect(await own()).toBe(true)
    souk.clock.advance(10 * MINUTE)
    await souk.idle()
    expect(await own()).toBe(false)
  })

  test("returns competitors' offers after the operator adds, changes and deletes them", async () => {
    const asin = 'B0RIVALS01'
    await market.addProducts(asin)
    const [first, second] = [
      buildCompetitorOffer('AFIRST', { asin }),
      buildCompetitorOffer('ASECOND', { asin, priceMinor: 2100 }),
    ]
    await market.offer(first, second)
    expect(await namesOf(asin)).toEqual(['AFIRST', 'ASECOND'])
    await market.offer({ ...second, priceMinor: 1900 })
    expect(await namesOf(asin)).toEqual(['ASECOND', 'AFIRST'])
    expect(await market.featured(asin)).toBe('ASECOND')
    await market.withdraw(second)
    expect(await namesOf(asin)).toEqual(['AFIRST'])
    await market.withdraw(first)
    expect(await market.summary(asin)).toMatchObject({
      featuredBuyingOptions: [],
      lowestPricedOffers: [{ offers: [] }],
    })
  })

  test('changes with the catalog', async () => {
    const asin = 'B0ADULT001'
    const item = { marketplaceId: US, asin, productType: 'HOME', itemName: 'Thing' }
    await market.put('catalogItems', [item])
    await market.offer(buildCompetitorOffer('ASELLS', { asin }))
    expect(await market.featured(asin)).toBe('ASELLS')
    await market.put('catalogItems', [{ ...item, adultProduct: true }])
    expect(await market.featured(asin)).toBeUndefined()
  })

  test('never returns an old price after a patch, despite concurrent reads', async () => {
    const sku = 'SOUK-SHOE-003'
    const asin = 'B0SOUK0003'
    const ownPrices = async () =>
      (await offersOf(asin))
        .filter(({ sellerId }) => sellerId === souk.demo.sellerId)
        .map((one) => one.listingPrice.amount)
    for (let price = 30; price < 45; price++) {
      const meanwhile = Array.from({ length: 4 }, () => market.summary(asin))
      await Promise.all([listings.patch(sku, [setPrice(price)]), ...meanwhile])
      expect(await ownPrices()).toContain(price)
    }
  })

  test('is the same for concurrent requests that compute it', async () => {
    const asin = 'B0RUSH0001'
    await market.addProducts(asin)
    await market.offer(buildCompetitorOffer('ARUSH', { asin }))
    const answers = await Promise.all(Array.from({ length: 40 }, () => market.summary(asin)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await market.featured(asin)).toBe('ARUSH')
  })

  test('ends with the last price of each seller after concurrent changes', async () => {
    const asin = 'B0CROWD001'
    await market.addProducts(asin)
    const competitors = Array.from({ length: 10 }, (_, index) => buildCompetitorOffer(`ACROWD${index}`, { asin }))
    await Promise.all(
      [1, 2, 3].flatMap((time) =>
        competitors.flatMap((competitor, index) => [
          market.offer({ ...competitor, priceMinor: 1000 * (time === 3 ? 1 : 2) + index }),
          market.summary(asin),
        ]),
      ),
    )
    await market.offer(...competitors.map((competitor, index) => ({ ...competitor, priceMinor: 1000 - index })))
    expect(await namesOf(asin)).toEqual(competitors.map(({ sellerId }) => sellerId).toReversed())
  })
})
