import type { Database, Reader, Transaction, TransactionOptions } from '../../../platform/database/port.ts'
import type { TextChunk } from '../../../platform/documents/write-compressed.ts'
import type { Feed, FeedIssue } from '../feed.ts'

/** Parses the documents of a feed type and writes their results. */
export interface FeedProcessor {
  /** Throws a FeedError if the document cannot be processed. */
  parse(document: Buffer, feed: Feed, reader: Reader): Promise<FeedPlan>
  /** Writes the result of a feed whose document could not be processed. */
  writeFailure(feed: Feed, input: ResultInput): AsyncIterable<TextChunk>
}

/** The messages of a valid document. The same document always gives the same plan. */
export interface FeedPlan<Step extends PreparedStep = PreparedStep> {
  /** Number of messages. */
  messages: number
  /** The most that a transaction should apply, if the processor has a limit. */
  messagesPerStep?: number
  /** Of the transactions in which messages are applied. */
  transaction?: TransactionOptions
  /** Whether a step may be prepared before the one before it is committed. */
  preparesAhead?: boolean
  /**
   * Prepares at least one and up to `count` messages, fewer if they are large: locks and reads what they change, and
   * writes nothing.
   */
  prepare(tx: Transaction, first: number, count: number, earlier?: UncommittedStep<Step>): Promise<Step>
  /** Writes the result once all messages are applied. */
  writeResult(feed: Feed, input: ResultInput): AsyncIterable<TextChunk>
}

export interface PreparedStep {
  /** Applies the messages in order. */
  write(): Promise<readonly MessageResult[]>
}

/** The step before, if it may not be committed yet: its new rows are not visible to others. */
export interface UncommittedStep<Step> {
  step: Step
  committed: Promise<unknown>
}

export interface MessageResult {
  isAccepted: boolean
  issues: readonly FeedIssue[]
}

export interface ResultInput {
  database: Database
  /** Pages of issues, in the order of the messages. */
  issues: AsyncIterable<readonly FeedIssue[]>
}
