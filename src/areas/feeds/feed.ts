import type { ProcessingStatus } from '../../document-requests/status.ts'

/** How far a feed is: what has been applied is counted in the transaction that applied it. */
export interface Progress {
  /** Messages, from the first on. */
  applied: number
  accepted: number
  invalid: number
  errors: number
  warnings: number
}

export interface Feed {
  sellerId: string
  feedId: string
  /** The application that submitted it. Unknown for those of earlier versions. */
  applicationId?: string
  feedType: string
  marketplaceIds: readonly string[]
  options: Readonly<Record<string, string>>
  status: ProcessingStatus
  createdAt: Date
  /** There is a job for it. Of those of a seller that are not at an end, one has its turn. */
  hasJob: boolean
  startedAt?: Date
  endedAt?: Date
  inputDocumentId: string
  /** Of the document when the feed was made: no other is processed, though one may be uploaded to the same address. */
  inputVersion?: string
  /** Set when processing starts, so that whoever starts over writes to the same place; told when it has ended. */
  resultDocumentId?: string
  progress: Progress
}

export interface FeedIssue {
  /** Absent for an issue of the whole document, and for a message without a valid id. */
  messageId?: number
  sku?: string
  code: string
  severity: 'ERROR' | 'WARNING' | 'INFO'
  message: string
  attribute?: string
}

export type FeedKey = Pick<Feed, 'sellerId' | 'feedId'>

/** Those that have a result to fetch. */
export const hasResult = ({ status, resultDocumentId }: Feed) =>
  resultDocumentId !== undefined && (status === 'DONE' || status === 'FATAL')

/** No document may have more: it is held whole while it is processed. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024

/** The highest id that a message may have. */
export const MAX_MESSAGE_ID = 2_147_483_647

const KEY_PREFIX = 'feeds/'

/** Where a document lies in the store, one that was uploaded or a result. */
export const documentKey = (documentId: string) => KEY_PREFIX + documentId

/** Which document it is that lies there, if it is one of a feed. */
export const documentIdOf = (key: string) => (key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : undefined)

/** A document that no feed uses is gone after this long. */
export const UNUSED_DOCUMENT_DAYS = 2
