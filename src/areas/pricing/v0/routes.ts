import { type App, errorResponses, type Routes, sellerOf } from '../../../http/route.ts'
import type { PricingV0Operations } from './operations.ts'
import {
  AsinParams,
  CompetitivePricingQuery,
  GetOffersResponse,
  OffersBatch,
  OffersBatchResult,
  OffersQuery,
  PriceList,
  PricingQuery,
  SkuParams,
} from './schema.ts'
import { parseItemUri, parseListingUri } from './uris.ts'

const tags = ['pricing']
const PREFIX = '/products/pricing/v0'
const configFor = (perSecond: number, burst: number) =>
  ({ access: { seller: true }, rate: { perSecond, burst } }) as const

/** Most repricing clients still use this version. */
export function createPricingV0Routes(operations: PricingV0Operations): Routes {
  return (app: App) => {
    app.get(
      `${PREFIX}/price`,
      {
        config: configFor(0.5, 1),
        schema: {
          operationId: 'getPricing',
          summary: "Get the seller's prices of up to 20 products or listings",
          tags,
          querystring: PricingQuery,
          response: { 200: PriceList, ...errorResponses },
        },
      },
      (request) => operations.getPricing(sellerOf(request), request.query),
    )

    app.get(
      `${PREFIX}/competitivePrice`,
      {
        config: configFor(0.5, 1),
        schema: {
          operationId: 'getCompetitivePricing',
          summary: 'Get competitive prices of up to 20 products or listings',
          tags,
          querystring: CompetitivePricingQuery,
          response: { 200: PriceList, ...errorResponses },
        },
      },
      (request) => operations.getCompetitivePricing(sellerOf(request), request.query),
    )

    app.get(
      `${PREFIX}/items/:Asin/offers`,
      {
        config: configFor(0.5, 1),
        schema: {
          operationId: 'getItemOffers',
          summary: 'Get the lowest offers for a product',
          tags,
          params: AsinParams,
          querystring: OffersQuery,
          response: { 200: GetOffersResponse, ...errorResponses },
        },
      },
      (request) => operations.getOffers(sellerOf(request), { ASIN: request.params.Asin }, request.query),
    )

    app.get(
      `${PREFIX}/listings/:SellerSKU/offers`,
      {
        config: configFor(1, 2),
        schema: {
          operationId: 'getListingOffers',
          summary: 'Get the lowest offers for a listing',
          tags,
          params: SkuParams,
          querystring: OffersQuery,
          response: { 200: GetOffersResponse, ...errorResponses },
        },
      },
      (request) => operations.getOffers(sellerOf(request), { SellerSKU: request.params.SellerSKU }, request.query),
    )

    app.post(
      `/batches${PREFIX}/itemOffers`,
      {
        config: configFor(0.1, 1),
        schema: {
          operationId: 'getItemOffersBatch',
          summary: 'Get the lowest offers for up to 20 products',
          tags,
          body: OffersBatch,
          response: { 200: OffersBatchResult, ...errorResponses },
        },
      },
      (request) => operations.getOffersBatch(sellerOf(request), request.body, parseItemUri),
    )

    app.post(
      `/batches${PREFIX}/listingOffers`,
      {
        config: configFor(0.5, 1),
        schema: {
          operationId: 'getListingOffersBatch',
          summary: 'Get the lowest offers for up to 20 listings',
          tags,
          body: OffersBatch,
          response: { 200: OffersBatchResult, ...errorResponses },
        },
      },
      (request) => operations.getOffersBatch(sellerOf(request), request.body, parseListingUri),
    )
  }
}
