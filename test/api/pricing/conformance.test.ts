import { beforeAll, describe, test } from 'vitest'
import {
  buildCompetitorOffer,
  DE,
  type MarketClient,
  requestExpectedPrice,
  requestSummary,
  startMarket,
  US,
} from '../../support/market.ts'
import { conformsTo, modelsArePresent } from '../../support/public-models.ts'
import type { TestSouk } from '../../support/souk.ts'

const MODEL = 'productPricing_2022-05-01.json'
const V0 = 'productPricingV0.json'

describe.runIf(modelsArePresent)('responses conform to the public models of pricing', () => {
  let souk: TestSouk
  let market: MarketClient
  beforeAll(async () => {
    ;({ souk, market } = await startMarket())
    await market.addProducts('B0WHOLE001')
    const terms = {
      prime: 'REGIONAL' as const,
      points: { number: 5, valueMinor: 5 },
      promotions: [
        { type: 'COUPON' as const, percentOff: 10 },
        { type: 'DEAL' as const, amountOffMinor: 5 },
        { type: 'BASKET_BUILDING' as const },
      ],
      sellerFeedbackRating: { percentPositive: 91, count: 3 },
      shipsFrom: { countryCode: 'US' },
    }
    await market.offer(buildCompetitorOffer('AWHOLE', { asin: 'B0WHOLE001', terms }))
  })

  test('summaries with all data sets in both marketplaces, and their errors', async () => {
    const requests = [
      requestSummary('B0SOUK0001'),
      requestSummary('B0SOUK0001', { marketplaceId: DE }),
      requestSummary('B0SOUK0006'),
      requestSummary('B0WHOLE001'),
      requestSummary('11_AABB_123'),
      requestSummary('B0SOUK0001', { marketplaceId: 'NOWHERE' }),
    ]
    conformsTo(MODEL, 'CompetitiveSummaryBatchResponse', (await market.summaries(requests)).json())
  })

  test('summaries of all demo products that have new offers', async () => {
    const asins = Array.from(
      { length: 20 },
      (_, index) => `B0SOUK0${Math.floor(index / 10)}${String(1 + (index % 10)).padStart(2, '0')}`,
    )
    const answer = await market.summaries(asins.map((asin) => requestSummary(asin)))
    conformsTo(MODEL, 'CompetitiveSummaryBatchResponse', answer.json())
  })

  test('expected prices, and their errors', async () => {
    const skus = [...souk.demo.skus, `${souk.demo.skus[0]}-FBA`, `${souk.demo.skus[0]}-USED`, 'NO SUCH']
    const answer = await market.expectedPrices(skus.map((sku) => requestExpectedPrice(sku)))
    conformsTo(MODEL, 'GetFeaturedOfferExpectedPriceBatchResponse', answer.json())
  })

  test('errors of whole batches', async () => {
    conformsTo(MODEL, 'Errors', (await market.summaries([requestSummary('x')])).json())
    conformsTo(MODEL, 'Errors', (await market.expectedPrices([requestExpectedPrice('x')])).json())
    conformsTo(V0, 'Errors', (await market.batch('itemOffers', [])).json())
  })

  test.each([
    ['GetPricingResponse', `/price?MarketplaceId=${US}&ItemType=Asin&Asins=B0SOUK0001,B0NOTHING0`],
    ['GetPricingResponse', `/price?MarketplaceId=${US}&ItemType=Sku&Skus=SOUK-SHOE-001,NONE`],
    ['GetPricingResponse', `/competitivePrice?MarketplaceId=${US}&ItemType=Asin&Asins=B0SOUK0001,B0WHOLE001`],
    ['GetOffersResponse', `/items/B0WHOLE001/offers?MarketplaceId=${US}&ItemCondition=New`],
    ['GetOffersResponse', `/listings/SOUK-SHOE-001/offers?MarketplaceId=${US}&ItemCondition=Used`],
    ['GetOffersResponse', `/items/B0NOTHING0/offers?MarketplaceId=${US}&ItemCondition=New`],
  ])('%s of %s', async (definition, path) => {
    conformsTo(V0, definition, (await market.get(path)).json())
  })

  test('batches of v0', async () => {
    const element = { method: 'GET', MarketplaceId: US, ItemCondition: 'New' }
    const items = ['B0SOUK0001', 'B0NOTHING0'].map((asin) => ({
      ...element,
      uri: `/products/pricing/v0/items/${asin}/offers`,
    }))
    conformsTo(V0, 'GetItemOffersBatchResponse', (await market.batch('itemOffers', items)).json())
    const listings = ['SOUK-SHOE-001', 'NONE'].map((sku) => ({
      ...element,
      uri: `/products/pricing/v0/listings/${sku}/offers`,
    }))
    conformsTo(V0, 'GetListingOffersBatchResponse', (await market.batch('listingOffers', listings)).json())
  })
})
