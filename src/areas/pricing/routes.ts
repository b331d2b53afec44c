import { type App, errorResponses, type Routes, sellerOf, sendJsonText } from '../../http/route.ts'
import {
  EXPECTED_PRICE_URI,
  ExpectedPriceBatch,
  ExpectedPriceBatchResult,
  SUMMARY_URI,
  SummaryBatch,
  SummaryBatchResult,
} from './schema.ts'
import type { PricingOperations } from './summary/operations.ts'

const tags = ['pricing']
const config = { access: { seller: true }, rate: { perSecond: 0.033, burst: 1 } } as const

export function createPricingRoutes(operations: PricingOperations): Routes {
  return (app: App) => {
    app.post(
      `/batches${SUMMARY_URI}`,
      {
        config,
        schema: {
          operationId: 'getCompetitiveSummary',
          summary: 'The featured offer, reference prices and lowest offers of up to 20 products',
          tags,
          body: SummaryBatch,
          response: { 200: SummaryBatchResult, ...errorResponses },
        },
      },
      (request, reply) => sendJsonText(reply, operations.getCompetitiveSummary(sellerOf(request), request.body)),
    )

    app.post(
      `/batches${EXPECTED_PRICE_URI}`,
      {
        config,
        schema: {
          operationId: 'getFeaturedOfferExpectedPriceBatch',
          summary: 'At which prices up to 40 offers of the seller would be featured',
          tags,
          body: ExpectedPriceBatch,
          response: { 200: ExpectedPriceBatchResult, ...errorResponses },
        },
      },
      (request) => operations.getFeaturedOfferExpectedPriceBatch(sellerOf(request), request.body),
    )
  }
}
