import { type App, errorResponses, type Routes, sellerOf } from '../../http/route.ts'
import type { SolicitationOperations } from './operations.ts'
import {
  ActionSchema,
  ConsoleReviewRequest,
  Empty,
  IgnoredBody,
  MarketplaceQuery,
  OptionalMarketplaceQuery,
  OrderParams,
  SolicitationActions,
} from './schema.ts'

const ORDER = '/solicitations/v1/orders/:amazonOrderId'
const ACTION = `${ORDER}/solicitations/productReviewAndSellerFeedback`
const CONSOLE = '/console/v1/orders/:amazonOrderId/reviewRequest'
const HAL = 'application/hal+json'
const tags = ['solicitations']
const config = { access: { seller: true }, rate: { perSecond: 1, burst: 5 } } as const

export function createSolicitationRoutes(operations: SolicitationOperations): Routes {
  return (app: App) => {
    app.get(
      ORDER,
      {
        config,
        schema: {
          operationId: 'getSolicitationActionsForOrder',
          summary: 'List the solicitation actions available for an order',
          tags,
          params: OrderParams,
          querystring: MarketplaceQuery,
          response: { 200: SolicitationActions, ...errorResponses },
        },
      },
      (request, reply) => {
        const { amazonOrderId } = request.params
        const [marketplaceId] = request.query.marketplaceIds as [string]
        reply.type(HAL)
        const text = operations.getSolicitationActionsForOrder(sellerOf(request), amazonOrderId, marketplaceId)
        return text as Promise<unknown> as Promise<SolicitationActions>
      },
    )

    app.get(
      `${ACTION}/schema`,
      {
        config,
        schema: {
          operationId: 'getSolicitationActionSchema',
          summary: 'Get the schema of the solicitation action for an order',
          tags,
          params: OrderParams,
          querystring: OptionalMarketplaceQuery,
          response: { 200: ActionSchema, ...errorResponses },
        },
      },
      async (request, reply) => {
        const { amazonOrderId } = request.params
        const [marketplaceId] = request.query.marketplaceIds ?? []
        reply.type(HAL)
        return operations.getSolicitationActionSchema(sellerOf(request), amazonOrderId, marketplaceId)
      },
    )

    app.post(
      ACTION,
      {
        config,
        schema: {
          operationId: 'createProductReviewAndSellerFeedbackSolicitation',
          summary: 'Request a product review and seller feedback',
          tags,
          params: OrderParams,
          querystring: MarketplaceQuery,
          body: IgnoredBody,
          response: { 201: Empty, ...errorResponses },
        },
      },
      async (request, reply) => {
        const { amazonOrderId } = request.params
        const [marketplaceId] = request.query.marketplaceIds as [string]
        await operations.createProductReviewAndSellerFeedbackSolicitation(
          sellerOf(request),
          amazonOrderId,
          marketplaceId,
        )
        reply.code(201).type(HAL)
        return {}
      },
    )

    app.get(
      CONSOLE,
      {
        config,
        schema: {
          operationId: 'getConsoleReviewRequest',
          summary: 'Get the console review request of an order',
          tags,
          params: OrderParams,
          querystring: MarketplaceQuery,
          response: { 200: ConsoleReviewRequest, ...errorResponses },
        },
      },
      async (request) => {
        const { amazonOrderId } = request.params
        const [marketplaceId] = request.query.marketplaceIds as [string]
        return operations.getConsoleReviewRequest(sellerOf(request), amazonOrderId, marketplaceId)
      },
    )

    app.post(
      CONSOLE,
      {
        config,
        schema: {
          operationId: 'requestReviewFromConsole',
          summary: 'Request a review from the console',
          tags,
          params: OrderParams,
          querystring: MarketplaceQuery,
          body: IgnoredBody,
          response: { 201: ConsoleReviewRequest, ...errorResponses },
        },
      },
      async (request, reply) => {
        const { amazonOrderId } = request.params
        const [marketplaceId] = request.query.marketplaceIds as [string]
        reply.code(201)
        return operations.requestReviewFromConsole(sellerOf(request), amazonOrderId, marketplaceId)
      },
    )
  }
}
