import type { LightMyRequestResponse } from 'fastify'
import type { CompetitorOffer, Offer } from '../../src/marketplace/offers/offers.ts'
import { buildCatalogItem } from './catalog.ts'
import { DE, listingsClient, US } from './listings.ts'
import { startTestSouk, type TestSouk } from './souk.ts'

export { DE, US }
export const ASIN = 'B0MARKET01'

/** An offer of an unknown seller for a new item at 20.00. */
export const buildOffer = (overrides: Partial<Offer> = {}): Offer => ({
  marketplaceId: US,
  asin: ASIN,
  sellerId: 'ASELLER1',
  sku: '-',
  conditionType: 'new_new',
  fulfillmentType: 'MFN',
  priceMinor: 2000,
  shippingMinor: 0,
  currencyCode: 'USD',
  quantity: 1,
  terms: {},
  updatedAt: new Date('2026-06-01T12:00:00.000Z'),
  ...overrides,
})

/** The same in the format of the operator API. */
export function buildCompetitorOffer(sellerId: string, overrides: Partial<CompetitorOffer> = {}): CompetitorOffer {
  const { updatedAt: _, ...offer } = buildOffer({ sellerId })
  return { ...(offer as CompetitorOffer), ...overrides }
}

export const SUMMARY_URI = '/products/pricing/2022-05-01/items/competitiveSummary'
export const EXPECTED_PRICE_URI = '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice'
export const ALL_SETS = ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers', 'similarItems']

/** An element of a batch of summaries. Undefined omits a field. */
export const requestSummary = (asin: string, overrides: Record<string, unknown> = {}) => ({
  asin,
  marketplaceId: US,
  includedData: ALL_SETS,
  method: 'GET',
  uri: SUMMARY_URI,
  ...overrides,
})

export const requestExpectedPrice = (sku: string, overrides: Record<string, unknown> = {}) => ({
  sku,
  marketplaceId: US,
  method: 'GET',
  uri: EXPECTED_PRICE_URI,
  ...overrides,
})

export type MarketClient = ReturnType<typeof marketClient>

/** The pricing operations of a seller, and the operations that set up a market. */
export function marketClient(souk: TestSouk, token: string) {
  const post = (path: string, payload: object): Promise<LightMyRequestResponse> => souk.post(path, { token, payload })
  const put = async (plural: string, resources: unknown[]) => {
    const response = await souk.put(`/operator/v1/${plural}`, {
      headers: souk.operator,
      payload: { [plural]: resources },
    })
    if (response.statusCode !== 200) throw new Error(response.body)
  }
  const summaries = (requests: unknown) => post(`/batches${SUMMARY_URI}`, { requests })
  return {
    summaries,
    /** The body of the single requested element. */
    async summary(asin: string, overrides: Record<string, unknown> = {}) {
      const response = await summaries([requestSummary(asin, overrides)])
      if (response.statusCode !== 200) throw new Error(response.body)
      return response.json().responses[0].body
    },
    /** The featured seller, if any. */
    async featured(asin: string): Promise<string | undefined> {
      const { featuredBuyingOptions } = await this.summary(asin, { includedData: ['featuredBuyingOptions'] })
      return featuredBuyingOptions[0]?.segmentedFeaturedOffers[0].sellerId
    },
    expectedPrices: (requests: unknown) => post(`/batches${EXPECTED_PRICE_URI}`, { requests }),
    async expectedPrice(sku: string) {
      const response = await this.expectedPrices([requestExpectedPrice(sku)])
      if (response.statusCode !== 200) throw new Error(response.body)
      return response.json().responses[0].body.featuredOfferExpectedPriceResults[0]
    },
    get: (path: string) => souk.get(`/products/pricing/v0${path}`, { token }),
    batch: (name: string, requests: unknown) => post(`/batches/products/pricing/v0/${name}`, { requests }),
    addProducts: (...asins: string[]) =>
      put(
        'catalogItems',
        asins.map((asin) => buildCatalogItem(asin)),
      ),
    put,
    offer: (...offers: CompetitorOffer[]) => put('offers', offers),
    async withdraw({ marketplaceId, asin, sellerId, sku = '-' }: CompetitorOffer) {
      const path = [marketplaceId, asin, sellerId, sku].map(encodeURIComponent).join('/')
      await souk.delete(`/operator/v1/offers/${path}`, { headers: souk.operator })
    },
  }
}

export async function startMarket(options?: Parameters<typeof startTestSouk>[0]) {
  const souk = await startTestSouk(options)
  const token = await souk.tokenFor(souk.demo.refreshToken)
  return { souk, token, market: marketClient(souk, token), listings: listingsClient(souk, token) }
}
