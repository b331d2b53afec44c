import { type Static, Type } from 'typebox'
import { listParameters } from '../../document-requests/list-query.ts'
import { PROCESSING_STATUSES } from '../../document-requests/status.ts'
import { MarketplaceId, QueryList } from '../../marketplace/schema.ts'

const DateTime = Type.String({ format: 'date-time' })
const FeedTypeName = Type.String({ minLength: 1, maxLength: 100, description: 'See [Feeds](/docs/feeds)' })

export const CreateFeedDocumentBody = Type.Object({
  contentType: Type.String({
    minLength: 1,
    maxLength: 200,
    // Sent in a signed header.
    pattern: '^[\\x20-\\x7e]+$',
    description:
      'Content type of the upload, e.g. application/json; charset=UTF-8. The upload must send the same value',
  }),
})

export const CreateFeedDocumentResult = Type.Object({
  feedDocumentId: Type.String(),
  url: Type.String({ description: 'Upload with PUT. Valid for 300 seconds' }),
})
export type CreateFeedDocumentResult = Static<typeof CreateFeedDocumentResult>

export const CreateFeedBody = Type.Object({
  feedType: FeedTypeName,
  marketplaceIds: Type.Array(MarketplaceId, { minItems: 1, maxItems: 25 }),
  inputFeedDocumentId: Type.String({ minLength: 1, maxLength: 200 }),
  feedOptions: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 1000 }), {
      maxProperties: 50,
      description: 'Options of the feed type',
    }),
  ),
})
export type CreateFeedBody = Static<typeof CreateFeedBody>

export const CreateFeedResult = Type.Object({ feedId: Type.String() })

export const FeedParams = Type.Object({ feedId: Type.String() })

export const Feed = Type.Object({
  feedId: Type.String(),
  feedType: Type.String(),
  marketplaceIds: Type.Array(Type.String()),
  processingStatus: Type.Enum(PROCESSING_STATUSES),
  createdTime: DateTime,
  processingStartTime: Type.Optional(DateTime),
  processingEndTime: Type.Optional(DateTime),
  resultFeedDocumentId: Type.Optional(Type.String({ description: 'Present once the feed is DONE or FATAL' })),
})
export type Feed = Static<typeof Feed>

export const GetFeedsQuery = Type.Object({
  feedTypes: Type.Optional(QueryList(FeedTypeName, { minItems: 1, maxItems: 10 })),
  ...listParameters,
})
export type GetFeedsQuery = Static<typeof GetFeedsQuery>

export const GetFeedsResult = Type.Object({
  feeds: Type.Array(Feed),
  nextToken: Type.Optional(Type.String()),
})
export type GetFeedsResult = Static<typeof GetFeedsResult>

export const FeedDocumentParams = Type.Object({ feedDocumentId: Type.String() })
export const FeedDocumentQuery = Type.Object({
  enableContentEncodingUrlHeader: Type.Optional(
    Type.Boolean({ description: 'Send Content-Encoding: gzip with the download, so that HTTP clients decompress it' }),
  ),
})

export const FeedDocument = Type.Object({
  feedDocumentId: Type.String(),
  url: Type.String({ description: 'Valid for 300 seconds' }),
  compressionAlgorithm: Type.Optional(Type.Literal('GZIP')),
})
export type FeedDocument = Static<typeof FeedDocument>

export const SubmittedDocument = Type.Object({
  url: Type.String({ description: 'Valid for 300 seconds' }),
  contentType: Type.String({ description: 'As it was uploaded' }),
})
export type SubmittedDocument = Static<typeof SubmittedDocument>

export const Empty = Type.Object({})
