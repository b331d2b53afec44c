import { addAbortSignal } from 'node:stream'
import { postponeUntilDelayIsOver } from '../../document-requests/delay.ts'
import { isFinal } from '../../document-requests/status.ts'
import { isStillAuthorized } from '../../marketplace/accounts/authorizations.ts'
import type { Database, Transaction } from '../../platform/database/port.ts'
import { DocumentReplacedError, type DocumentStore } from '../../platform/documents/port.ts'
import { writeCompressed } from '../../platform/documents/write-compressed.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { joinSentences } from '../../platform/errors/sentences.ts'
import { UnavailableError } from '../../platform/errors/unavailable-error.ts'
import type { JobContext, JobHandler, JobHandlers } from '../../platform/jobs/port.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { applyPlan } from './apply-plan.ts'
import { documentKey, type Feed, type FeedIssue, type FeedKey, MAX_DOCUMENT_BYTES } from './feed.ts'
import { FeedError } from './feed-error.ts'
import { type FinishFeedDependencies, finishFeed } from './finish-feed.ts'
import type { FeedPlan, FeedProcessor } from './processing/processor.ts'
import { PROCESS_FEED, startNextFeed } from './queue.ts'
import { clearResult, findFeed, resetFeed, updateFeedStatus } from './store/feed-store.ts'
import { readIssues } from './store/issue-store.ts'

export interface FeedJobDependencies extends FinishFeedDependencies {
  database: Database
  documents: DocumentStore
  logger: Logger
  processors: ReadonlyMap<string, FeedProcessor>
}

/** An applied plan, or the error of the document. */
interface ProcessingResult {
  plan?: FeedPlan | undefined
  feedError?: FeedError | undefined
}

type StartedFeed = Feed & Required<Pick<Feed, 'startedAt' | 'resultDocumentId'>>

export function createFeedJobs(dependencies: FeedJobDependencies): JobHandlers {
  const { database, clock, ids, documents, logger, processors, delayMilliseconds } = dependencies
  const processFeed: JobHandler<FeedKey> = {
    async run(key, context) {
      const feed = await database.transact((tx) => start(tx, key))
      // Cancelled: the next feed must be started all the same.
      if (!feed) return context.finish((tx) => startNextFeed(tx, dependencies, key.sellerId))
      const isCancelled =
        feed.progress.applied === 0 && !(await database.read((reader) => isStillAuthorized(reader, feed)))
      if (isCancelled) return context.finish((tx) => cancel(tx, key))
      postponeUntilDelayIsOver(feed.startedAt, clock, delayMilliseconds)
      const result = await processDocument(feed, context)
      const processed = await requireFeed(key)
      await writeResult(processed, result, context.signal)
      const status = result.feedError ? 'FATAL' : 'DONE'
      await context.finish((tx) => finishFeed(tx, dependencies, processed, status, { hasResult: true }))
      logger.info({ ...logFields(feed), ...processed.progress }, result.feedError ? 'feed failed' : 'feed done')
    },

    async giveUp(tx, key) {
      const feed = await start(tx, key)
      if (!feed) return
      // Without a result: writing the result may be what failed.
      await clearResult(tx, feed)
      await finishFeed(tx, dependencies, feed, 'FATAL', { hasResult: false })
    },

    // A retry continues after the last applied message, before the seller's waiting feeds, because it is the oldest.
    async reset(tx, key) {
      if (!(await resetFeed(tx, key))) return 'obsolete'
      await startNextFeed(tx, dependencies, key.sellerId)
      return 'enqueued'
    },

    cancel,

    async typeOf(key) {
      return (await database.read((reader) => findFeed(reader, key)))?.feedType
    },

    async isObsolete(key) {
      const feed = await database.read((reader) => findFeed(reader, key))
      return !feed || isFinal(feed.status)
    },
  }
  return { [PROCESS_FEED]: processFeed }

  async function cancel(tx: Transaction, key: FeedKey): Promise<void> {
    const feed = await start(tx, key)
    if (!feed) return
    await clearResult(tx, feed)
    // CANCELLED means that nothing was applied. A job that waits for a retry may have applied most of its messages.
    const status = feed.progress.applied > 0 ? 'FATAL' : 'CANCELLED'
    await finishFeed(tx, dependencies, feed, status, { hasResult: false })
  }

  /** Returns undefined if the feed was cancelled or has finished. */
  async function start(tx: Transaction, key: FeedKey): Promise<StartedFeed | undefined> {
    const resultDocumentId = ids.next('feedDocument')
    await updateFeedStatus(tx, key, 'IN_PROGRESS', { startedAt: clock.now(), resultDocumentId })
    const feed = await findFeed(tx, key)
    return feed?.status === 'IN_PROGRESS' ? (feed as StartedFeed) : undefined
  }

  /** Applies the messages that are not yet applied. */
  async function processDocument(feed: StartedFeed, context: JobContext): Promise<ProcessingResult> {
    try {
      const document = await readDocument(feed, context)
      const plan = await database.read((reader) => processorOf(feed).parse(document, feed, reader))
      logger.info({ ...logFields(feed), messages: plan.messages, applied: feed.progress.applied }, 'feed in progress')
      await applyPlan(feed, plan, context)
      return { plan }
    } catch (error) {
      if (error instanceof FeedError) return { feedError: error }
      if (error instanceof DocumentReplacedError) {
        return { feedError: new FeedError('The document was replaced after the feed was created.') }
      }
      // For example, the seller no longer participates in a marketplace.
      if (error instanceof ApiError && error.status < 500)
        return { feedError: new FeedError(joinSentences(error.message, error.details)) }
      throw error
    }
  }

  async function readDocument({ inputDocumentId, inputVersion }: StartedFeed, { signal }: JobContext): Promise<Buffer> {
    const document = await documents.get(documentKey(inputDocumentId), undefined, inputVersion)
    if (!document) throw new FeedError('The document no longer exists.')
    if (document.bytes > MAX_DOCUMENT_BYTES) {
      document.content.destroy()
      throw new FeedError(`The document has more than ${MAX_DOCUMENT_BYTES} bytes.`)
    }
    const bytes = Buffer.allocUnsafe(document.bytes)
    let filled = 0
    addAbortSignal(signal, document.content)
    for await (const chunk of document.content as AsyncIterable<Buffer>) filled += chunk.copy(bytes, filled)
    // The rest of the buffer is whatever the process had in memory there.
    if (filled < bytes.length) throw new UnavailableError('The document store sent fewer bytes than announced.')
    return bytes
  }

  async function writeResult(
    feed: StartedFeed,
    { plan, feedError }: ProcessingResult,
    signal: AbortSignal,
  ): Promise<void> {
    const { progress } = feed
    const withErrorCount = feedError ? { ...feed, progress: { ...progress, errors: progress.errors + 1 } } : feed
    const issues = withDocumentError(readIssues(database, feed), feedError)
    const input = { database, issues }
    const chunks = plan
      ? plan.writeResult(withErrorCount, input)
      : processorOf(feed).writeFailure(withErrorCount, input)
    await writeCompressed(documents, documentKey(feed.resultDocumentId), chunks, signal)
  }

  async function requireFeed(key: FeedKey): Promise<StartedFeed> {
    const feed = await database.read((reader) => findFeed(reader, key))
    if (!feed?.resultDocumentId) throw new Error(`The feed ${key.feedId} was deleted during processing`)
    return feed as StartedFeed
  }

  function processorOf({ feedType }: Feed): FeedProcessor {
    const processor = processors.get(feedType)
    if (!processor) throw new Error(`No processor for feed type ${feedType}`)
    return processor
  }
}

const logFields = ({ sellerId, feedId, feedType }: Feed) => ({ seller: sellerId, feedId, feedType })

/** Appends the error of the document to the issues of its messages. */
async function* withDocumentError(issues: AsyncIterable<FeedIssue[]>, error: FeedError | undefined) {
  yield* issues
  if (error) yield [{ code: error.code, severity: 'ERROR', message: error.message } satisfies FeedIssue]
}
