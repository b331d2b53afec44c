import { beforeAll, describe, expect, test } from 'vitest'
import { newOffer, setPrice } from '../../support/listings.ts'
import {
  buildCompetitorOffer,
  DE,
  EXPECTED_PRICE_URI,
  type MarketClient,
  marketClient,
  requestExpectedPrice,
  startMarket,
  US,
} from '../../support/market.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const SKU = 'SOUK-SHOE-001'

describe('getFeaturedOfferExpectedPriceBatch', () => {
  let souk: TestSouk
  let market: MarketClient
  let listings: Awaited<ReturnType<typeof startMarket>>['listings']
  beforeAll(async () => {
    ;({ souk, market, listings } = await startMarket())
  })

  /** The demo seller offers a product of its own, in the condition and at the price that are given. */
  async function sell(asin: string, { price = 20, condition = 'new_new', item = {} } = {}) {
    await market.put('catalogItems', [{ marketplaceId: US, asin, productType: 'SHOES', itemName: 'Shoe', ...item }])
    const attributes = newOffer({
      merchant_suggested_asin: [{ value: asin }],
      condition_type: [{ value: condition }],
      purchasable_offer: [{ currency: 'USD', our_price: [{ schedule: [{ value_with_tax: price }] }] }],
    })
    const answer = await listings.put(`SKU ${asin}`, attributes, undefined, { requirements: 'LISTING_OFFER_ONLY' })
    expect(answer.json()).toMatchObject({ status: 'ACCEPTED' })
    await souk.idle()
    return `SKU ${asin}`
  }
  const money = (amount: number) => ({ amount, currencyCode: 'USD' })

  test('returns all fields: the price at which an offer would be featured, and its competitor', async () => {
    const sku = await sell('B0VALID001')
    await market.offer(buildCompetitorOffer('ARIVAL', { asin: 'B0VALID001', priceMinor: 1900, shippingMinor: 50 }))
    const segment = { segmentDetails: { sampleLocation: { postalCode: { countryCode: 'US', value: '98101' } } } }
    const answer = await market.expectedPrices([requestExpectedPrice(sku, { segment })])
    const competitor = {
      offerIdentifier: { asin: 'B0VALID001', marketplaceId: US, fulfillmentType: 'MFN', sellerId: 'ARIVAL' },
      condition: 'New',
      price: { listingPrice: money(19), shippingPrice: money(0.5) },
    }
    expect(answer.json()).toEqual({
      responses: [
        {
          request: { marketplaceId: US, sku, segment },
          status: { statusCode: 200, reasonPhrase: 'Success' },
          headers: {},
          body: {
            offerIdentifier: {
              asin: 'B0VALID001',
              sku,
              marketplaceId: US,
              fulfillmentType: 'MFN',
              sellerId: souk.demo.sellerId,
            },
            featuredOfferExpectedPriceResults: [
              {
                resultStatus: 'VALID_FOEP',
                featuredOfferExpectedPrice: { listingPrice: money(19.49) },
                competingFeaturedOffer: competitor,
                currentFeaturedOffer: competitor,
              },
            ],
          },
        },
      ],
    })
  })

  test('returns a price at which the offer is featured', async () => {
    const { featuredOfferExpectedPrice } = await market.expectedPrice(SKU)
    const { amount } = featuredOfferExpectedPrice.listingPrice
    await listings.patch(SKU, [setPrice(amount)])
    expect(await market.featured('B0SOUK0001')).toBe(souk.demo.sellerId)
    await listings.patch(SKU, [setPrice(Math.round(amount * 100 + 1) / 100)])
    expect(await market.featured('B0SOUK0001')).not.toBe(souk.demo.sellerId)
  })

  test('returns the best competitor of an offer that is featured already', async () => {
    const sku = await sell('B0LEADER01', { price: 10 })
    await market.offer(buildCompetitorOffer('ASECOND', { asin: 'B0LEADER01', priceMinor: 1500 }))
    expect(await market.expectedPrice(sku)).toMatchObject({
      resultStatus: 'VALID_FOEP',
      featuredOfferExpectedPrice: { listingPrice: money(15) },
      competingFeaturedOffer: { offerIdentifier: { sellerId: 'ASECOND' } },
      currentFeaturedOffer: { offerIdentifier: { sellerId: souk.demo.sellerId } },
    })
  })

  test('returns NO_COMPETING_OFFER if no other seller can be featured', async () => {
    const sku = await sell('B0ALONE001')
    await market.offer(buildCompetitorOffer('AUSED', { asin: 'B0ALONE001', conditionType: 'used_good' }))
    const result = await market.expectedPrice(sku)
    expect(result).toMatchObject({
      resultStatus: 'NO_COMPETING_OFFER',
      currentFeaturedOffer: { offerIdentifier: { sellerId: souk.demo.sellerId } },
    })
    expect(result).not.toHaveProperty('featuredOfferExpectedPrice')
  })

  test('returns OFFER_NOT_ELIGIBLE for an item that is not new, and if no price suffices', async () => {
    const used = await sell('B0USED0001', { condition: 'used_good' })
    await market.offer(buildCompetitorOffer('ANEW', { asin: 'B0USED0001' }))
    expect(await market.expectedPrice(used)).toMatchObject({
      resultStatus: 'OFFER_NOT_ELIGIBLE',
      currentFeaturedOffer: { offerIdentifier: { sellerId: 'ANEW' } },
    })
    const late = await sell('B0GIFT0001')
    await market.offer(buildCompetitorOffer('AGIFT', { asin: 'B0GIFT0001', priceMinor: 0 }))
    expect(await market.expectedPrice(late)).toMatchObject({ resultStatus: 'OFFER_NOT_ELIGIBLE' })
  })

  test('returns OFFER_NOT_FOUND for a listing that is not buyable', async () => {
    const sku = await sell('B0EMPTY001')
    await listings.patch(sku, [
      {
        op: 'replace',
        path: '/attributes/fulfillment_availability',
        value: [{ fulfillment_channel_code: 'DEFAULT', quantity: 0 }],
      },
    ])
    expect(await market.expectedPrice(sku)).toEqual({ resultStatus: 'OFFER_NOT_FOUND' })
  })

  test('returns ASIN_NOT_ELIGIBLE for a product whose offers cannot be featured', async () => {
    const sku = await sell('B0ADULT002', { item: { adultProduct: true } })
    await market.offer(buildCompetitorOffer('ARIVAL', { asin: 'B0ADULT002' }))
    expect(await market.expectedPrice(sku)).toEqual({ resultStatus: 'ASIN_NOT_ELIGIBLE' })
  })

  test("refuses another seller's SKU like an unknown one, each in its own element", async () => {
    const other = marketClient(souk, await souk.tokenFor(souk.demo.otherSeller.refreshToken))
    const foreign = `${SKU}-FBA`
    const requests = [foreign, 'NO SUCH', SKU].map((sku) => requestExpectedPrice(sku))
    const { responses } = (await other.expectedPrices(requests)).json()
    const refused = (sku: string) => ({
      request: { marketplaceId: US, sku },
      status: { statusCode: 400, reasonPhrase: 'Client Error' },
      headers: {},
      body: {
        errors: [
          {
            code: 'INVALID_SKU',
            message: 'The seller has no such SKU in the marketplace.',
            details: `The SKU is ${sku}.`,
          },
        ],
      },
    })
    expect(responses.slice(0, 2)).toEqual([refused(foreign), refused('NO SUCH')])
    expect(responses[2]).toMatchObject({ status: { statusCode: 200 } })
  })

  test('refuses a SKU that was changed but never created, and marketplaces without participation', async () => {
    const { responses } = (
      await market.expectedPrices([
        requestExpectedPrice('SOUK-GHOST-001'),
        requestExpectedPrice(SKU, { marketplaceId: 'NOWHERE' }),
        requestExpectedPrice(SKU, { marketplaceId: 'A1F83G8C2ARO7P' }),
        requestExpectedPrice(SKU, { marketplaceId: DE }),
        requestExpectedPrice(SKU),
      ])
    ).json()
    const codes = responses.map((one: { status: { statusCode: number }; body: { errors?: { code: string }[] } }) => [
      one.status.statusCode,
      one.body.errors?.[0]?.code,
    ])
    expect(codes).toEqual([
      [400, 'INVALID_SKU'],
      [400, 'InvalidInput'],
      [403, 'Unauthorized'],
      [200, undefined],
      [200, undefined],
    ])
  })

  test('returns 400 if every element fails', async () => {
    const answer = await market.expectedPrices([requestExpectedPrice('NO SUCH')])
    expect(errorOf(answer)).toMatchObject({ status: 400, code: 'INVALID_SKU' })
  })

  test('returns 40 elements in the order of the request', async () => {
    const skus = Array.from({ length: 40 }, (_, index) => souk.demo.skus[index % souk.demo.skus.length] as string)
    const { responses } = (await market.expectedPrices(skus.map((sku) => requestExpectedPrice(sku)))).json()
    expect(responses.map((one: { request: { sku: string } }) => one.request.sku)).toEqual(skus)
  })

  test.each<[string, unknown, string]>([
    ['no requests', [], 'requests must have at least 1 item'],
    ['41 requests', Array(41).fill(requestExpectedPrice(SKU)), 'requests must have at most 40 items'],
    ['requests that are no list', 'all', 'requests must be an array'],
    ['no sku', [requestExpectedPrice(SKU, { sku: undefined })], 'requests[0].sku is required'],
    [
      'no marketplaceId',
      [requestExpectedPrice(SKU, { marketplaceId: undefined })],
      'requests[0].marketplaceId is required',
    ],
    ['no method', [requestExpectedPrice(SKU, { method: undefined })], 'requests[0].method is required'],
    ['no uri', [requestExpectedPrice(SKU, { uri: undefined })], 'requests[0].uri is required'],
    ['another method', [requestExpectedPrice(SKU, { method: 'PUT' })], 'requests[0].method must be GET'],
    ['another uri', [requestExpectedPrice(SKU, { uri: '/x' })], `requests[0].uri must be ${EXPECTED_PRICE_URI}`],
  ])('refuses %s as a whole, and names the field', async (_, requests, details) => {
    expect(errorOf(await market.expectedPrices(requests))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      details: expect.stringContaining(details),
    })
  })
})

test('allows one batch of expected prices in 30 seconds', async () => {
  const souk = await startTestSouk({ rates: 'documented' })
  const market = marketClient(souk, await souk.tokenFor(souk.demo.refreshToken))
  expect((await market.expectedPrices([requestExpectedPrice(SKU)])).statusCode).toBe(200)
  expect(errorOf(await market.expectedPrices([requestExpectedPrice(SKU)]))).toMatchObject({ code: 'QuotaExceeded' })
})
