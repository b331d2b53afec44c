import { parseListQuery, toListPage } from '../../document-requests/list-query.ts'
import { daysBefore, oldestRetained, toWireTime } from '../../document-requests/status.ts'
import { requireParticipation } from '../../marketplace/accounts/participation.ts'
import { denied, requireCreator, type SellerCaller } from '../../platform/auth/caller.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { ApiError, type ApiErrorOptions, quotaExceeded } from '../../platform/errors/api-error.ts'
import { afterDoing, neverPasses, withNearestOf } from '../../platform/errors/explanation.ts'
import type { Limits } from '../../platform/throttle/limits.ts'
import { documentKey, hasResult, type Feed as StoredFeed, UNUSED_DOCUMENT_DAYS } from './feed.ts'
import { feedTypes } from './feed-types.ts'
import { type FinishFeedDependencies, finishFeed } from './finish-feed.ts'
import { enqueueFeed } from './queue.ts'
import type {
  CreateFeedBody,
  CreateFeedDocumentResult,
  Feed,
  FeedDocument,
  GetFeedsQuery,
  GetFeedsResult,
  SubmittedDocument,
} from './schema.ts'
import { claimDocument, findDocument, insertDocument } from './store/document-store.ts'
import { findFeed, findFeedByResult, listFeeds } from './store/feed-store.ts'

export interface FeedsDependencies extends FinishFeedDependencies {
  database: Database
  documents: DocumentStore
  limits: Limits
}

export type FeedOperations = ReturnType<typeof createFeedOperations>

const FIVE_MINUTES_IN_SECONDS = 300

export function createFeedOperations(dependencies: FeedsDependencies) {
  const { database, clock, ids, documents, limits } = dependencies
  const typeLimits = new Map(
    [...feedTypes].flatMap(([feedType, { maxPerFiveMinutes: burst }]) =>
      burst === undefined
        ? []
        : [[feedType, limits.of({ perSecond: burst / FIVE_MINUTES_IN_SECONDS, burst })] as const],
    ),
  )

  return {
    async createFeedDocument(caller: SellerCaller, contentType: string): Promise<CreateFeedDocumentResult> {
      const { sellerId, applicationId } = caller
      const documentId = ids.next('feedDocument')
      const url = await documents.presignPut(documentKey(documentId), { contentType })
      const document = { sellerId, documentId, applicationId, contentType, createdAt: clock.now() }
      await database.transact((tx) => insertDocument(tx, document))
      return { feedDocumentId: documentId, url }
    },

    async createFeed(caller: SellerCaller, input: CreateFeedBody): Promise<{ feedId: string }> {
      const { sellerId, applicationId } = caller
      const { feedType, inputFeedDocumentId: documentId, feedOptions = {} } = input
      if (!feedTypes.has(feedType)) {
        throw new ApiError(
          'InvalidInput',
          'The request has an invalid feed type.',
          `The types are ${[...feedTypes.keys()].join(', ')}.`,
          { field: 'feedType', explain: withNearestOf('feedType', feedType, [...feedTypes.keys()]) },
        )
      }
      const marketplaceIds = [...new Set(input.marketplaceIds)]
      await database.read((reader) => requireParticipation(reader, sellerId, marketplaceIds))
      const inputVersion = await requireUploadedDocument(caller, documentId)
      // Last, so that rejected requests do not count.
      await takeFeedTypeQuota(caller, feedType)
      const feedId = await database.transact(async (tx) => {
        const feedId = await enqueueFeed(tx, dependencies, {
          sellerId,
          applicationId,
          feedType,
          marketplaceIds,
          options: feedOptions,
          inputDocumentId: documentId,
          inputVersion,
        })
        if (!(await claimDocument(tx, { sellerId, documentId, feedId }))) throw alreadyUsed()
        return feedId
      })
      return { feedId }
    },

    async getFeed({ sellerId }: SellerCaller, feedId: string): Promise<Feed> {
      return renderFeed(await database.read((reader) => requireFeed(reader, sellerId, feedId)))
    },

    async getFeeds({ sellerId }: SellerCaller, query: GetFeedsQuery): Promise<GetFeedsResult> {
      const request = parseListQuery(
        query,
        { parameter: 'feedTypes', names: query.feedTypes, example: 'JSON_LISTINGS_FEED' },
        clock.now(),
      )
      const found = await database.read((reader) => listFeeds(reader, sellerId, request))
      const { items, ...next } = toListPage(found, request, ({ feedId }) => feedId)
      return { feeds: items.map(renderFeed), ...next }
    },

    async cancelFeed(caller: SellerCaller, feedId: string): Promise<void> {
      await database.transact(async (tx) => {
        const feed = await requireFeed(tx, caller.sellerId, feedId)
        requireCreator(caller, feed.applicationId, 'feed')
        // One that was given up and is retried waits for its turn, too, but CANCELLED means that nothing was applied.
        const { applied } = feed.progress
        if (feed.status !== 'IN_QUEUE' || applied > 0) {
          const state = feed.status === 'IN_QUEUE' ? 'has applied messages' : `is ${feed.status}`
          const details = `The feed ${state}: only a feed IN_QUEUE of which nothing was applied can be cancelled.`
          throw new ApiError('InvalidInput', 'The feed can no longer be cancelled.', details, {
            explain: () => ({
              rule: 'Only a feed that is IN_QUEUE and has applied no message can be cancelled.',
              facts: { feedId, processingStatus: feed.status, messagesApplied: applied },
              noNearest: 'A feed that has left the queue does not return to it.',
            }),
          })
        }
        await finishFeed(tx, dependencies, feed, 'CANCELLED', { hasResult: false })
      })
    },

    async getFeedDocument(
      { sellerId }: SellerCaller,
      documentId: string,
      { contentEncoding }: { contentEncoding: boolean },
    ): Promise<FeedDocument> {
      const feed = await database.read((reader) => findFeedByResult(reader, sellerId, documentId))
      if (!feed || !hasResult(feed) || isExpired(feed)) {
        throw new ApiError(
          'InvalidInput',
          'The request has an invalid feedDocumentId.',
          'No feed result has this id.',
          {
            missing: { kind: 'feedDocumentId', id: documentId },
          },
        )
      }
      const contentType = feedTypes.get(feed.feedType)?.contentType ?? 'application/octet-stream'
      const url = await documents.presignGet(documentKey(documentId), {
        contentType,
        ...(contentEncoding && { contentEncoding: 'gzip' }),
      })
      return { feedDocumentId: documentId, url, compressionAlgorithm: 'GZIP' }
    },

    /** What the feed was submitted with. An application can read its own, the console of the seller all. */
    async getSubmittedDocument(caller: SellerCaller, feedId: string): Promise<SubmittedDocument> {
      const { inputDocumentId, contentType } = await database.read(async (reader) => {
        const feed = await requireFeed(reader, caller.sellerId, feedId)
        requireReader(caller, feed)
        const document = await findDocument(reader, caller.sellerId, feed.inputDocumentId)
        return { ...feed, contentType: document?.contentType ?? 'application/octet-stream' }
      })
      const url = await documents.presignGet(documentKey(inputDocumentId), { contentType })
      return { url, contentType }
    },
  }

  /** Requires an unused, unexpired and uploaded document of the application and seller. Returns its version. */
  async function requireUploadedDocument(
    { sellerId, applicationId }: SellerCaller,
    documentId: string,
  ): Promise<string> {
    const document = await database.read((reader) => findDocument(reader, sellerId, documentId))
    const isOwn = document && (document.applicationId ?? applicationId) === applicationId
    // Documents of other applications are treated as missing.
    if (!isOwn || document.createdAt < daysBefore(clock.now(), UNUSED_DOCUMENT_DAYS)) {
      throw invalidDocument('The document was not found.', { missing: { kind: 'inputFeedDocumentId', id: documentId } })
    }
    if (document.usedBy !== undefined) throw alreadyUsed()
    const version = await documents.version(documentKey(documentId))
    if (version === undefined) throw invalidDocument('Nothing was uploaded.', { explain: afterDoing(UPLOAD_FIRST) })
    return version
  }

  async function takeFeedTypeQuota({ applicationId, sellerId }: SellerCaller, feedType: string): Promise<void> {
    // Per application too, so that no application can use up the quota of another.
    const limit = typeLimits.get(feedType)
    if (!limit || (await limit.take(`${feedType} ${applicationId} ${sellerId}`))) return
    const { maxPerFiveMinutes } = feedTypes.get(feedType) ?? {}
    const max = `${maxPerFiveMinutes} feeds of type ${feedType}`
    const now = clock.now()
    const nextAt = new Date(now.getTime() + limit.retryAfterSeconds * 1000)
    throw quotaExceeded(`An application can submit ${max} per seller every five minutes.`, () => ({
      facts: { feedType, maxPerFiveMinutes, now },
      change: { notBefore: nextAt },
    }))
  }

  async function requireFeed(reader: Reader, sellerId: string, feedId: string): Promise<StoredFeed> {
    const feed = await findFeed(reader, { sellerId, feedId })
    if (feed && !isExpired(feed)) return feed
    throw new ApiError('NotFound', 'The feed was not found.', `The seller has no feed ${feedId}.`, {
      missing: { kind: 'feedId', id: feedId },
    })
  }

  function isExpired(feed: StoredFeed): boolean {
    return feed.createdAt < oldestRetained(clock.now())
  }
}

function requireReader({ applicationId, isConsole }: SellerCaller, feed: StoredFeed): void {
  if (isConsole || feed.applicationId === undefined || feed.applicationId === applicationId) return
  throw denied(
    'The feed was submitted by another application; only that application can read its document.',
    undefined,
    neverPasses('Send it with a token of the application that submitted the feed.', { application: applicationId }),
  )
}

const UPLOAD_FIRST = 'PUT the feed to the url that POST /feeds/2021-06-30/documents returned with this feedDocumentId'

const invalidDocument = (reason: string, options: Pick<ApiErrorOptions, 'missing' | 'explain'>) =>
  new ApiError('InvalidInput', 'Invalid request parameters', `inputFeedDocumentId: ${reason}`, {
    field: 'inputFeedDocumentId',
    ...options,
  })

const alreadyUsed = () =>
  invalidDocument('It was already used by another feed.', {
    explain: () => ({
      change: {
        fields: { inputFeedDocumentId: '<the new feedDocumentId>' },
        first: 'POST /feeds/2021-06-30/documents, then PUT the feed to the url of its response',
      },
    }),
  })

const renderFeed = (feed: StoredFeed): Feed => ({
  feedId: feed.feedId,
  feedType: feed.feedType,
  marketplaceIds: [...feed.marketplaceIds],
  processingStatus: feed.status,
  createdTime: toWireTime(feed.createdAt),
  ...(feed.startedAt && { processingStartTime: toWireTime(feed.startedAt) }),
  ...(feed.endedAt && { processingEndTime: toWireTime(feed.endedAt) }),
  ...(hasResult(feed) && { resultFeedDocumentId: feed.resultDocumentId }),
})
