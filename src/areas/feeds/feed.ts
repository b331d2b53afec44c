import type { ProcessingStatus } from '../../document-requests/status.ts'

/** Counted in the transactions that apply the messages. */
export interface Progress {
  /** Number of applied messages, in order of the document. */
  applied: number
  accepted: number
  invalid: number
  errors: number
  warnings: number
}

export interface Feed {
  sellerId: string
  feedId: string
  /** The application that created the feed. Absent for feeds of earlier versions. */
  applicationId?: string
  feedType: string
  marketplaceIds: readonly string[]
  options: Readonly<Record<string, string>>
  status: ProcessingStatus
  createdAt: Date
  /** Whether the feed has a job. Of the unfinished feeds of a seller, at most one has. */
  hasJob: boolean
  startedAt?: Date
  endedAt?: Date
  inputDocumentId: string
  /** Version of the document at creation. A later upload to the same URL is not processed. */
  inputVersion?: string
  /** Set when processing starts, so that a retry writes to the same key. Exposed once the feed has finished. */
  resultDocumentId?: string
  progress: Progress
  /** How many messages the document has. Absent until some are applied. */
  messages?: number
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

export const hasResult = ({ status, resultDocumentId }: Feed) =>
  resultDocumentId !== undefined && (status === 'DONE' || status === 'FATAL')

/** The document is held in memory while it is processed. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024

export const MAX_MESSAGE_ID = 2_147_483_647

const KEY_PREFIX = 'feeds/'

/** Key of an uploaded document or a result in the document store. */
export const documentKey = (documentId: string) => KEY_PREFIX + documentId

/** Returns undefined if the key is not that of a feed document. */
export const documentIdOf = (key: string) => (key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : undefined)

/** Documents not used by any feed expire after this time. */
export const UNUSED_DOCUMENT_DAYS = 2
