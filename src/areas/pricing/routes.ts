import { type App, errorResponses, type Routes, sellerOf, sendJsonText } from '../../http/route.ts'
import type { PricingConsoleOperations } from './console/operations.ts'
import { createPricingConsoleRoutes } from './console/routes.ts'
import type { ExpectedPriceOperations } from './expected-price/operations.ts'
import {
  EXPECTED_PRICE_URI,
  ExpectedPriceBatch,
  ExpectedPriceBatchResult,
  SUMMARY_URI,
  SummaryBatch,
  SummaryBatchResult,
} from './schema.ts'
import type { SummaryOperations } from './summary/operations.ts'
import type { PricingV0Operations } from './v0/operations.ts'
import { createPricingV0Routes } from './v0/routes.ts'

const tags = ['pricing']
const config = { access: { seller: true }, rate: { perSecond: 0.033, burst: 1 } } as const

export interface PricingOperations {
  summary: SummaryOperations
  expectedPrice: ExpectedPriceOperations
  v0: PricingV0Operations
  console: PricingConsoleOperations
}

export function createPricingRoutes({ summary, expectedPrice, v0, console }: PricingOperations): Routes {
  return (app: App) => {
    app.post(
      `/batches${SUMMARY_URI}`,
      {
        config,
        schema: {
          operationId: 'getCompetitiveSummary',
          summary: 'Get competitive summaries of up to 20 products',
          tags,
          body: SummaryBatch,
          response: { 200: SummaryBatchResult, ...errorResponses },
        },
      },
      (request, reply) => sendJsonText(reply, summary.getCompetitiveSummary(sellerOf(request), request.body)),
    )

    app.post(
      `/batches${EXPECTED_PRICE_URI}`,
      {
        config,
        schema: {
          operationId: 'getFeaturedOfferExpectedPriceBatch',
          summary: 'Get featured offer expected prices of up to 40 listings',
          tags,
          body: ExpectedPriceBatch,
          response: { 200: ExpectedPriceBatchResult, ...errorResponses },
        },
      },
      (request) => expectedPrice.getFeaturedOfferExpectedPriceBatch(sellerOf(request), request.body),
    )

    createPricingV0Routes(v0)(app)
    createPricingConsoleRoutes(console)(app)
  }
}
