import { findRefusal } from '../../../marketplace/accounts/participation.ts'
import { type Market, type MarketKey, marketId, readMarkets, SUCCESS } from '../../../marketplace/market/index.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Reader } from '../../../platform/database/port.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import { errorsOf, type Outcome, refusalOf, requireOneAnswer } from '../batch.ts'
import type {
  ExpectedPriceBatch,
  ExpectedPriceBatchResult,
  ExpectedPriceRequest,
  ExpectedPriceResponse,
} from '../schema.ts'
import type { PricingDependencies } from '../summary/operations.ts'
import { expectPrice, type Listed } from './expected-price.ts'

export function createExpectedPriceOperations({ database, clock, findListedProducts }: PricingDependencies) {
  return {
    async getFeaturedOfferExpectedPriceBatch(
      { sellerId }: SellerCaller,
      { requests }: ExpectedPriceBatch,
    ): Promise<ExpectedPriceBatchResult> {
      const outcomes = await database.read(async (reader) => {
        const listed = await findListings(reader, sellerId, requests)
        const products = listed.filter(isOfProduct)
        const markets = await readMarkets(reader, products, clock.now())
        return listed.map((one) => (one instanceof ApiError ? one : answer(one, markets)))
      })
      requireOneAnswer(outcomes)
      return { responses: requests.map((request, index) => represent(request, outcomes[index] as Outcome<Body>)) }
    },
  }

  /** The listing that each request is about, or why there is none. */
  async function findListings(
    reader: Reader,
    sellerId: string,
    requests: readonly ExpectedPriceRequest[],
  ): Promise<Outcome<Listed>[]> {
    const found = new Map<string, Outcome<Listed>>()
    for (const [marketplaceId, ofMarketplace] of Map.groupBy(requests, (request) => request.marketplaceId)) {
      const skus = [...new Set(ofMarketplace.map(({ sku }) => sku))]
      const refusal = await findRefusal(reader, sellerId, marketplaceId)
      for (const sku of skus) found.set(`${marketplaceId} ${sku}`, refusal ?? invalidSku(sku))
      if (refusal) continue
      for (const { sku, asin } of await findListedProducts(reader, sellerId, marketplaceId, skus)) {
        found.set(`${marketplaceId} ${sku}`, { sellerId, marketplaceId, sku, ...(asin !== undefined && { asin }) })
      }
    }
    return requests.map(({ marketplaceId, sku }) => found.get(`${marketplaceId} ${sku}`) as Outcome<Listed>)
  }
}

type Body = NonNullable<ExpectedPriceResponse['body']>

const invalidSku = (sku: string) =>
  new ApiError('INVALID_SKU', 'The seller has no such SKU in the marketplace.', `The SKU is ${sku}.`)

const isOfProduct = (listed: Outcome<Listed>): listed is Listed & MarketKey =>
  !(listed instanceof ApiError) && listed.asin !== undefined

function answer({ sellerId, marketplaceId, sku, asin }: Listed, markets: ReadonlyMap<string, Market>): Body {
  if (asin === undefined) return { featuredOfferExpectedPriceResults: [expectPrice(undefined, undefined)] }
  const market = markets.get(marketId({ marketplaceId, asin }))
  const offer = market?.offers.find((one) => one.sellerId === sellerId && one.sku === sku)
  const fulfillment = offer && { fulfillmentType: offer.fulfillmentType }
  return {
    offerIdentifier: { asin, sku, marketplaceId, ...fulfillment, sellerId },
    featuredOfferExpectedPriceResults: [expectPrice(market, offer)],
  }
}

const represent = (
  { marketplaceId, sku, segment }: ExpectedPriceRequest,
  outcome: Outcome<Body>,
): ExpectedPriceResponse => ({
  request: { marketplaceId, sku, ...(segment !== undefined && { segment }) },
  status: outcome instanceof ApiError ? refusalOf(outcome) : SUCCESS,
  headers: {},
  body: outcome instanceof ApiError ? { errors: errorsOf(outcome) } : outcome,
})
