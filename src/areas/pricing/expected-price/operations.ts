import { findParticipationError } from '../../../marketplace/accounts/participation.ts'
import { loadMarkets, type Market, type MarketKey, marketId } from '../../../marketplace/market/index.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Reader } from '../../../platform/database/port.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import { type ElementResult, renderErrorStatus, renderErrors, requireAnySuccess, SUCCESS } from '../batch.ts'
import type { PricingDependencies } from '../ports.ts'
import type {
  ExpectedPriceBatch,
  ExpectedPriceBatchResult,
  ExpectedPriceRequest,
  ExpectedPriceResponse,
} from '../schema.ts'
import { computeExpectedPrice, type SellerListing } from './expected-price.ts'

export type ExpectedPriceOperations = ReturnType<typeof createExpectedPriceOperations>

export function createExpectedPriceOperations({ database, clock, findListedProducts }: PricingDependencies) {
  return {
    async getFeaturedOfferExpectedPriceBatch(
      { sellerId }: SellerCaller,
      { requests }: ExpectedPriceBatch,
    ): Promise<ExpectedPriceBatchResult> {
      const results = await database.read(async (reader) => {
        const listings = await findListings(reader, sellerId, requests)
        const products = listings.filter(hasProduct)
        const markets = await loadMarkets(reader, products, clock.now())
        return listings.map((one) => (one instanceof ApiError ? one : renderResult(one, markets)))
      })
      requireAnySuccess(results)
      return {
        responses: requests.map((request, index) => renderElement(request, results[index] as ElementResult<Body>)),
      }
    },
  }

  /** Returns the listing of each request, or an error. */
  async function findListings(
    reader: Reader,
    sellerId: string,
    requests: readonly ExpectedPriceRequest[],
  ): Promise<ElementResult<SellerListing>[]> {
    const found = new Map<string, ElementResult<SellerListing>>()
    for (const [marketplaceId, ofMarketplace] of Map.groupBy(requests, (request) => request.marketplaceId)) {
      const skus = [...new Set(ofMarketplace.map(({ sku }) => sku))]
      const error = await findParticipationError(reader, sellerId, marketplaceId)
      for (const sku of skus) found.set(`${marketplaceId} ${sku}`, error ?? invalidSku(sku, marketplaceId))
      if (error) continue
      for (const { sku, asin } of await findListedProducts(reader, sellerId, marketplaceId, skus)) {
        found.set(`${marketplaceId} ${sku}`, { sellerId, marketplaceId, sku, ...(asin !== undefined && { asin }) })
      }
    }
    return requests.map(
      ({ marketplaceId, sku }) => found.get(`${marketplaceId} ${sku}`) as ElementResult<SellerListing>,
    )
  }
}

type Body = NonNullable<ExpectedPriceResponse['body']>

const invalidSku = (sku: string, marketplaceId: string) =>
  new ApiError('INVALID_SKU', 'The seller has no such SKU in the marketplace.', `The SKU is ${sku}.`, {
    missing: { kind: 'sku', id: sku, marketplaceIds: [marketplaceId] },
  })

const hasProduct = (listings: ElementResult<SellerListing>): listings is SellerListing & MarketKey =>
  !(listings instanceof ApiError) && listings.asin !== undefined

function renderResult(
  { sellerId, marketplaceId, sku, asin }: SellerListing,
  markets: ReadonlyMap<string, Market>,
): Body {
  if (asin === undefined) return { featuredOfferExpectedPriceResults: [computeExpectedPrice(undefined, undefined)] }
  const market = markets.get(marketId({ marketplaceId, asin }))
  const offer = market?.offers.find((one) => one.sellerId === sellerId && one.sku === sku)
  const fulfillment = offer && { fulfillmentType: offer.fulfillmentType }
  return {
    offerIdentifier: { asin, sku, marketplaceId, ...fulfillment, sellerId },
    featuredOfferExpectedPriceResults: [computeExpectedPrice(market, offer)],
  }
}

const renderElement = (
  { marketplaceId, sku, segment }: ExpectedPriceRequest,
  result: ElementResult<Body>,
): ExpectedPriceResponse => ({
  request: { marketplaceId, sku, ...(segment !== undefined && { segment }) },
  status: result instanceof ApiError ? renderErrorStatus(result) : SUCCESS,
  headers: {},
  body: result instanceof ApiError ? { errors: renderErrors(result) } : result,
})
