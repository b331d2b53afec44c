import { beforeAll, expect, test } from 'vitest'
import { demoItemsIn } from '../../../src/dev/demo/catalog.ts'
import { DE, type MarketClient, requestSummary, startMarket, US } from '../../support/market.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let market: MarketClient
beforeAll(async () => {
  ;({ souk, market } = await startMarket())
})

interface Body {
  asin: string
  featuredBuyingOptions: unknown[]
  referencePrices: { name: string; price: { currencyCode: string } }[]
  lowestPricedOffers: { offers: { sellerId: string }[] }[]
}

async function summariesIn(marketplaceId: string): Promise<Body[]> {
  const asins = demoItemsIn(marketplaceId).map(({ asin }) => asin)
  const bodies: Body[] = []
  for (let start = 0; start < asins.length; start += 20) {
    const requests = asins.slice(start, start + 20).map((asin) => requestSummary(asin, { marketplaceId }))
    const { responses } = (await market.summaries(requests)).json()
    bodies.push(...responses.map(({ body }: { body: Body }) => body))
  }
  return bodies
}

test('every demo product has reference prices of 90 days, in the currency of its marketplace', async () => {
  for (const [marketplaceId, currencyCode] of [
    [US, 'USD'],
    [DE, 'EUR'],
  ] as const) {
    for (const { asin, referencePrices } of await summariesIn(marketplaceId)) {
      const names = referencePrices.map(({ name }) => name)
      expect(names, asin).toEqual(['CompetitivePriceThreshold', 'CompetitivePrice', 'WasPrice'])
      for (const { price } of referencePrices) expect(price.currencyCode).toBe(currencyCode)
    }
  }
})

test("both of the specification's examples exist: reference prices, and offers without a featured offer", async () => {
  const summaries = await summariesIn(US)
  const suppressed = summaries.filter(({ featuredBuyingOptions }) => featuredBuyingOptions.length === 0)
  expect(suppressed.map(({ asin }) => asin)).toEqual(['B0SOUK0006'])
  const sellers = suppressed[0]?.lowestPricedOffers[0]?.offers.map(({ sellerId }) => sellerId)
  expect(sellers).toContain(souk.demo.sellerId)
  expect(summaries.find(({ asin }) => asin === 'B0SOUK0001')?.referencePrices).not.toEqual([])
})
