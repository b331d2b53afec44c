import { type App, errorResponses, type Routes, sellerOf } from '../../http/route.ts'
import type { FeedOperations } from './operations.ts'
import {
  CreateFeedBody,
  CreateFeedDocumentBody,
  CreateFeedDocumentResult,
  CreateFeedResult,
  Empty,
  Feed,
  FeedDocument,
  FeedDocumentParams,
  FeedDocumentQuery,
  FeedParams,
  GetFeedsQuery,
  GetFeedsResult,
  SubmittedDocument,
} from './schema.ts'

const FEEDS = '/feeds/2021-06-30/feeds'
const DOCUMENTS = '/feeds/2021-06-30/documents'
const tags = ['feeds']
const seller = { access: { seller: true }, signed: true } as const
const frequent = { ...seller, rate: { perSecond: 2, burst: 15 } } as const
const infrequent = { ...seller, rate: { perSecond: 0.0222, burst: 10 } } as const

export function createFeedRoutes(feeds: FeedOperations): Routes {
  return (app: App) => {
    app.post(
      DOCUMENTS,
      {
        config: { ...seller, rate: { perSecond: 0.5, burst: 15 } },
        schema: {
          operationId: 'createFeedDocument',
          summary: 'Create a feed document and its upload URL',
          tags,
          body: CreateFeedDocumentBody,
          response: { 201: CreateFeedDocumentResult, ...errorResponses },
        },
      },
      async (request, reply) => {
        reply.code(201)
        return feeds.createFeedDocument(sellerOf(request), request.body.contentType)
      },
    )

    app.get(
      `${DOCUMENTS}/:feedDocumentId`,
      {
        config: infrequent,
        schema: {
          operationId: 'getFeedDocument',
          summary: 'Get the download URL of a feed result',
          tags,
          params: FeedDocumentParams,
          querystring: FeedDocumentQuery,
          response: { 200: FeedDocument, ...errorResponses },
        },
      },
      async (request) =>
        feeds.getFeedDocument(sellerOf(request), request.params.feedDocumentId, {
          contentEncoding: request.query.enableContentEncodingUrlHeader ?? false,
        }),
    )

    app.post(
      FEEDS,
      {
        config: { ...seller, rate: { perSecond: 0.0083, burst: 15 } },
        schema: {
          operationId: 'createFeed',
          summary: 'Create a feed from an uploaded document',
          tags,
          body: CreateFeedBody,
          response: { 202: CreateFeedResult, ...errorResponses },
        },
      },
      async (request, reply) => {
        reply.code(202)
        return feeds.createFeed(sellerOf(request), request.body)
      },
    )

    app.get(
      FEEDS,
      {
        config: infrequent,
        schema: {
          operationId: 'getFeeds',
          summary: 'List feeds',
          tags,
          querystring: GetFeedsQuery,
          response: { 200: GetFeedsResult, ...errorResponses },
        },
      },
      async (request) => feeds.getFeeds(sellerOf(request), request.query),
    )

    app.get(
      `${FEEDS}/:feedId`,
      {
        config: frequent,
        schema: {
          operationId: 'getFeed',
          summary: 'Get a feed',
          tags,
          params: FeedParams,
          response: { 200: Feed, ...errorResponses },
        },
      },
      (request) => feeds.getFeed(sellerOf(request), request.params.feedId),
    )

    app.delete(
      `${FEEDS}/:feedId`,
      {
        config: frequent,
        schema: {
          operationId: 'cancelFeed',
          summary: 'Cancel a queued feed',
          tags,
          params: FeedParams,
          response: { 200: Empty, ...errorResponses },
        },
      },
      async (request) => {
        await feeds.cancelFeed(sellerOf(request), request.params.feedId)
        return {}
      },
    )

    app.get(
      '/console/v1/feeds/:feedId/document',
      {
        config: frequent,
        schema: {
          operationId: 'getSubmittedFeedDocument',
          summary: 'Get the download URL of the document that a feed processes',
          tags,
          params: FeedParams,
          response: { 200: SubmittedDocument, ...errorResponses },
        },
      },
      (request) => feeds.getSubmittedDocument(sellerOf(request), request.params.feedId),
    )
  }
}
