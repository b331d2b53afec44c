import { beforeAll, describe, expect, test } from 'vitest'
// Imported by path: the package exports only its index, which loads every API and takes a second.
import * as PricingV0SpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/pricing_v0/index.js'
import * as PricingSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/pricing_v2022_05_01/index.js'
import { EXPECTED_PRICE_URI, requestExpectedPrice, requestSummary, SUMMARY_URI } from '../support/market.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

describe("the vendor's JavaScript SDK", () => {
  let souk: TestSouk
  let pricing: PricingSpApi.ProductPricingApi
  let pricingV0: PricingV0SpApi.ProductPricingApi
  beforeAll(async () => {
    souk = await startTestSouk()
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const client = new PricingSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token)
    // The SDK enforces the documented rates itself, by the real clock, and drops requests that exceed them.
    client.disableRateLimiter()
    pricing = new PricingSpApi.ProductPricingApi(client)
    const clientV0 = new PricingV0SpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token)
    clientV0.disableRateLimiter()
    pricingV0 = new PricingV0SpApi.ProductPricingApi(clientV0)
  })

  test('reads a batch of competitive summaries', async () => {
    const requests = [requestSummary('B0SOUK0001'), requestSummary('B0SOUK0006'), requestSummary('11_AABB_123')]
    const { responses } = await pricing.getCompetitiveSummary({ requests } as never)
    expect(requests[0]?.uri).toBe(SUMMARY_URI)
    expect(responses).toMatchObject([
      {
        status: { statusCode: 200, reasonPhrase: 'Success' },
        body: {
          asin: 'B0SOUK0001',
          featuredBuyingOptions: [{ segmentedFeaturedOffers: [{ listingPrice: { currencyCode: 'USD' } }] }],
          referencePrices: [
            { name: 'CompetitivePriceThreshold' },
            { name: 'CompetitivePrice' },
            { name: 'WasPrice', price: { amount: expect.any(Number) } },
          ],
        },
      },
      { body: { asin: 'B0SOUK0006', featuredBuyingOptions: [] } },
      { status: { statusCode: 400 }, body: { errors: [{ code: 'INVALID_ASIN' }] } },
    ])
  })

  test('reads a batch of expected prices', async () => {
    const requests = [requestExpectedPrice('SOUK-SHOE-001'), requestExpectedPrice('NO SUCH')]
    const answer = await pricing.getFeaturedOfferExpectedPriceBatch({ requests } as never)
    expect(requests[0]?.uri).toBe(EXPECTED_PRICE_URI)
    expect(answer).toMatchObject({
      responses: [
        {
          request: { sku: 'SOUK-SHOE-001' },
          body: { featuredOfferExpectedPriceResults: [{ resultStatus: 'VALID_FOEP' }] },
        },
        { status: { statusCode: 400 }, body: { errors: [{ code: 'INVALID_SKU' }] } },
      ],
    })
  })

  test('throws an error with status 400 if every element of a batch fails', async () => {
    const requests = [requestSummary('11_AABB_123')]
    await expect(pricing.getCompetitiveSummary({ requests } as never)).rejects.toMatchObject({
      status: 400,
      response: { body: { errors: [{ code: 'INVALID_ASIN', message: '11_AABB_123 is not a valid ASIN' }] } },
    })
  })

  test('reads the older version', async () => {
    const { marketplaceId } = souk.demo
    const prices = await pricingV0.getPricing(marketplaceId, 'Asin', { asins: ['B0SOUK0001', 'B0SOUK0002'] })
    expect(prices).toMatchObject({ payload: [{ status: 'Success' }, { status: 'Success' }] })
    const offers = await pricingV0.getItemOffers(marketplaceId, 'New', 'B0SOUK0001')
    expect(offers).toMatchObject({
      payload: { status: 'Success', summary: { totalOfferCount: expect.any(Number) } },
    })
    const requests = [
      {
        uri: '/products/pricing/v0/items/B0SOUK0001/offers',
        method: 'GET',
        MarketplaceId: marketplaceId,
        ItemCondition: 'New',
      },
    ]
    const batch = await pricingV0.getItemOffersBatch({ requests } as never)
    expect(batch).toMatchObject({
      responses: [{ status: { statusCode: 200 }, body: { payload: { status: 'Success' } } }],
    })
  })

  test('reads the older version by SKU', async () => {
    const { marketplaceId, skus } = souk.demo
    const sku = skus[0] as string
    const prices = await pricingV0.getCompetitivePricing(marketplaceId, 'Sku', { skus: [sku] })
    expect(prices).toMatchObject({ payload: [{ status: 'Success', sellerSKU: sku }] })
    const offers = await pricingV0.getListingOffers(marketplaceId, 'New', sku)
    expect(offers).toMatchObject({ payload: { status: 'Success', SKU: sku } })
    const uri = `/products/pricing/v0/listings/${sku}/offers`
    const requests = [{ uri, method: 'GET', MarketplaceId: marketplaceId, ItemCondition: 'New' }]
    const batch = await pricingV0.getListingOffersBatch({ requests } as never)
    expect(batch).toMatchObject({ responses: [{ status: { statusCode: 200 }, body: { payload: { SKU: sku } } }] })
  })
})
