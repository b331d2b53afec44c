import { type Static, Type } from 'typebox'
import { listParameters } from '../../document-requests/list-query.ts'
import { PROCESSING_STATUSES } from '../../document-requests/status.ts'
import { MarketplaceId, QueryList } from '../../marketplace/schema.ts'

const DateTime = Type.String({ format: 'date-time' })
const FeedTypeName = Type.String({ minLength: 1, maxLength: 100, description: 'docs/feeds.md lists them' })

export const CreateFeedDocumentBody = Type.Object({
  contentType: Type.String({
    minLength: 1,
    maxLength: 200,
    // It goes into a signed header.
    pattern: '^[\\x20-\\x7e]+$',
    description: 'The upload must have exactly this one: application/json; charset=UTF-8 for instance',
  }),
})

export const CreateFeedDocumentResult = Type.Object({
  feedDocumentId: Type.String(),
  url: Type.String({ description: 'Upload to it by PUT; it works for 300 seconds' }),
})
export type CreateFeedDocumentResult = Static<typeof CreateFeedDocumentResult>

export const CreateFeedBody = Type.Object({
  feedType: FeedTypeName,
  marketplaceIds: Type.Array(MarketplaceId, { minItems: 1, maxItems: 25 }),
  inputFeedDocumentId: Type.String({ minLength: 1, maxLength: 200 }),
  feedOptions: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 1000 }), {
      maxProperties: 50,
      description: 'Settings that some types of feeds have',
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
  resultFeedDocumentId: Type.Optional(Type.String({ description: 'Once it is DONE or FATAL' })),
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
    Type.Boolean({ description: 'Have the download say Content-Encoding: gzip, so that HTTP clients decompress it' }),
  ),
})

export const FeedDocument = Type.Object({
  feedDocumentId: Type.String(),
  url: Type.String({ description: 'Works for 300 seconds; ask again for another' }),
  compressionAlgorithm: Type.Optional(Type.Literal('GZIP')),
})
export type FeedDocument = Static<typeof FeedDocument>

export const Empty = Type.Object({})
