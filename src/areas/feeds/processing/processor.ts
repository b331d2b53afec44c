import type { BulkIssue, MessageResult } from '../../../marketplace/bulk-listings.ts'
import type { Database, Reader, Transaction } from '../../../platform/database/port.ts'
import type { TextChunk } from '../../../platform/documents/write-compressed.ts'
import type { Feed } from '../feed.ts'

/** How the documents of a type of feed are read, and how their results are told. */
export interface FeedProcessor {
  /** Takes a document apart. Throws a FeedFault when it cannot be processed at all. */
  parse(document: Buffer, feed: Feed, reader: Reader): Promise<FeedPlan>
  /** The result's text. Of a feed that is FATAL there is no plan. */
  writeResult(feed: Feed, input: ResultInput): AsyncIterable<TextChunk>
}

/** What there is to do in a document that can be processed. The same document always gives the same plan. */
export interface FeedPlan {
  /** How many messages there are. */
  messages: number
  /** Does up to `count` of them, in their order, and at least one. Fewer where they are large. */
  apply(tx: Transaction, first: number, count: number): Promise<readonly MessageResult[]>
}

/** What a result tells. */
export interface ResultInput {
  database: Database
  plan?: FeedPlan
  /** In the order of the messages, a page at a time. */
  issues: AsyncIterable<readonly BulkIssue[]>
}
