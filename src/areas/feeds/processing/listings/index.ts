import { isUtf8 } from 'node:buffer'
import { requireParticipation } from '../../../../marketplace/accounts/participation.ts'
import type { Dialect } from '../../../../platform/database/dialect.ts'
import type { Database, Transaction } from '../../../../platform/database/port.ts'
import { inSlices } from '../../../../platform/in-slices.ts'
import { countParts, MAX_PARTS } from '../../../../platform/json-size.ts'
import type { FeedIssue, Progress } from '../../feed.ts'
import { FeedError } from '../../feed-error.ts'
import type { BulkListings, BulkResult, BulkScope, PendingKeys, RenderedItem } from '../../ports.ts'
import { MessageIds } from '../message-ids.ts'
import type { FeedPlan, FeedProcessor, MessageResult, PreparedStep, UncommittedStep } from '../processor.ts'
import { type Header, parseHeader } from './header.ts'
import { type Span, textOf } from './json-scanner.ts'
import { findLayout, type Layout, MAX_MESSAGE_BYTES, sizeOf } from './layout.ts'
import { isIssue, isMessageId, type ListingMessage, parseMessage, toMessageIssue } from './message.ts'
import { writeProcessingReport } from './processing-report.ts'

const ITEMS_PER_PAGE = 100
const MESSAGES_PER_BATCH: Record<Dialect, number> = {
  // Few enough to be garbage before the collector promotes them to the old generation.
  sqlite: 25,
  // A transaction, with several round trips.
  postgres: 100,
}
// Bounds what a transaction locks.
const LISTINGS_PER_BATCH = 100
// Bounds the memory by the largest message, not by the document.
const BYTES_PER_BATCH = MAX_MESSAGE_BYTES
const TOO_LARGE = `has more than ${MAX_MESSAGE_BYTES} bytes, or more than ${MAX_PARTS} members, objects and lists.`

type ListingStep = PreparedStep & { pending?: PendingKeys }

/** JSON_LISTINGS_FEED: a JSON document with a header and up to 25,000 messages. */
export function createListingsProcessor(listings: BulkListings, dialect: Dialect): FeedProcessor {
  return {
    async parse(document, feed, reader) {
      requireText(document)
      const layout = await findLayout(document)
      const headerPart = parseSpan(document, layout.header)
      if (!headerPart) throw new FeedError(`The header ${TOO_LARGE}`)
      const header = parseHeader(headerPart.value, feed.sellerId, listings.dataSets)
      const marketplaces = await requireParticipation(reader, feed.sellerId, feed.marketplaceIds)
      const scope: BulkScope = {
        sellerId: feed.sellerId,
        marketplaces,
        locale: header.issueLocale ?? marketplaces[0]?.languageCode ?? 'en_US',
      }
      return createPlan(document, layout, header, scope, feed.progress)
    },

    writeFailure: writeProcessingReport,
  }

  async function createPlan(
    document: Buffer,
    layout: Layout,
    header: Header,
    scope: BulkScope,
    { applied }: Pick<Progress, 'applied'>,
  ): Promise<FeedPlan<ListingStep>> {
    const ids = new MessageIds()
    const messagesPerBatch = Math.min(
      MESSAGES_PER_BATCH[dialect],
      Math.ceil(LISTINGS_PER_BATCH / scope.marketplaces.length),
    )
    // By the index of the message, and only if the result contains items: parsing messages again for it is expensive.
    const parsed: Pick<ListingMessage, 'messageId' | 'sku'>[] = []
    /** The ids of messages that repeat the id of an earlier one, by their index. */
    const repeatedIds = new Map<number, number>()
    // After a crash, the messages that are already applied were parsed by another process.
    for await (const index of inSlices(Array(applied).keys())) {
      if (header.includedData) parseMessageAt(index)
      else isFirstWithId(parseAt(index)?.value, index)
    }
    return {
      messages: layout.messages.length,
      ...(dialect === 'postgres' && { messagesPerStep: messagesPerBatch, preparesAhead: true }),
      // Listings are locked before they are changed.
      transaction: { isolation: 'read committed' },

      async prepare(tx, first, count, earlier) {
        const end = Math.min(first + count, layout.messages.length)
        // A batch locks in one order what it changes. A second one in the same transaction would start over, and hold the
        // rows of the first for longer. SQLite has one writer, and saves commits.
        return dialect === 'postgres'
          ? prepareBatch(tx, parseMessages(first, endOfBatch(first, end)), earlier)
          : { write: () => writeBatches(tx, first, end) }
      },

      writeResult: (feed, input) => writeProcessingReport(feed, input, { header, renderItems }),
    }

    async function writeBatches(tx: Transaction, first: number, end: number): Promise<MessageResult[]> {
      const results: MessageResult[] = []
      for (let next = first; next < end; ) {
        const after = endOfBatch(next, end)
        const batch = await prepareBatch(tx, parseMessages(next, after))
        results.push(...(await batch.write()))
        next = after
      }
      return results
    }

    async function* renderItems(
      database: Database,
      errorsById: ReadonlyMap<number, number>,
    ): AsyncGenerator<readonly RenderedItem[]> {
      const { includedData } = header
      if (!includedData) return
      // A message that repeats an id has one error with that id, which is not one of the first message.
      const repetitions = countById(repeatedIds.values())
      const accepted = parsed.filter(
        ({ messageId }) => (errorsById.get(messageId) ?? 0) === (repetitions.get(messageId) ?? 0),
      )
      const skus = [...new Set(accepted.map(({ sku }) => sku))]
      for (let first = 0; first < skus.length; first += ITEMS_PER_PAGE) {
        yield await listings.render(database, scope, skus.slice(first, first + ITEMS_PER_PAGE), includedData)
      }
    }

    async function prepareBatch(
      tx: Transaction,
      messages: readonly (ListingMessage | FeedIssue)[],
      earlier?: UncommittedStep<ListingStep>,
    ): Promise<ListingStep> {
      const valid = messages.filter((message) => !isIssue(message)) as ListingMessage[]
      const uncommitted = earlier?.step.pending && { ...earlier.step.pending, committed: earlier.committed }
      const { write, skus, identifiers } = await listings.prepare(tx, scope, valid, uncommitted)
      return {
        pending: { skus, identifiers },
        async write() {
          const results = await write()
          let next = 0
          return messages.map((message) =>
            isIssue(message) ? toRejection(message) : toMessageResult(message, results[next++] as BulkResult),
          )
        },
      }
    }

    function parseMessages(first: number, end: number): (ListingMessage | FeedIssue)[] {
      const messages: (ListingMessage | FeedIssue)[] = []
      for (let index = first; index < end; index++) messages.push(parseMessageAt(index))
      return messages
    }

    function parseMessageAt(index: number): ListingMessage | FeedIssue {
      const source = parseAt(index)
      if (!source) return withIndex(toMessageIssue(undefined, `The message ${TOO_LARGE}`), index)
      const { text, value } = source
      if (!isFirstWithId(value, index)) {
        const { messageId } = value as { messageId: number }
        repeatedIds.set(index, messageId)
        return toMessageIssue(value, `messageId ${messageId} is duplicated.`)
      }
      const message = parseMessage(value, text)
      if (isIssue(message)) return withIndex(message, index)
      if (header.includedData) parsed[index] = { messageId: message.messageId, sku: message.sku }
      return message
    }

    function parseAt(index: number) {
      return parseSpan(document, layout.messages[index] as Span)
    }

    function isFirstWithId(value: unknown, index: number): boolean {
      const messageId = (value as { messageId?: unknown } | null | undefined)?.messageId
      return !isMessageId(messageId) || ids.isFirst(messageId, index)
    }

    /** The end of a batch of few messages with little text. */
    function endOfBatch(first: number, end: number): number {
      let next = first
      for (let bytes = 0; next < end && next - first < messagesPerBatch && bytes < BYTES_PER_BATCH; next++) {
        bytes += sizeOf(layout.messages[next] as Span)
      }
      return next
    }
  }
}

/** Parses the header or a message. Returns undefined if it is too large. */
function parseSpan(document: Buffer, span: Span): { text: string; value: unknown } | undefined {
  if (sizeOf(span) > MAX_MESSAGE_BYTES) return undefined
  const text = textOf(document, span)
  // A part has at least two bytes.
  if (sizeOf(span) > 2 * MAX_PARTS && countParts(text, MAX_PARTS).parts > MAX_PARTS) return undefined
  return { text, value: JSON.parse(text) }
}

function countById(ids: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** Adds the index to the issue of a message without a valid id, so that the seller can find the message. */
function withIndex(issue: FeedIssue, index: number): FeedIssue {
  return issue.messageId === undefined ? { ...issue, message: `messages[${index}]: ${issue.message}` } : issue
}

const toRejection = (issue: FeedIssue): MessageResult => ({ isAccepted: false, issues: [issue] })

function toMessageResult(message: ListingMessage, result: BulkResult): MessageResult {
  if ('error' in result) return toRejection(toMessageIssue(message, result.error))
  if (result.issues.length === 0) return result
  const { messageId, sku } = message
  return { ...result, issues: result.issues.map((issue) => ({ messageId, sku, ...issue })) }
}

const GZIP = [0x1f, 0x8b]
const startsWith = (document: Buffer, bytes: readonly number[]) =>
  bytes.every((byte, index) => document[index] === byte)
const BYTE_ORDER_MARKS = [
  [0xef, 0xbb, 0xbf],
  [0xfe, 0xff],
  [0xff, 0xfe],
]

function requireText(document: Buffer): void {
  if (document.length === 0) throw new FeedError('The document is empty.')
  if (startsWith(document, GZIP)) throw new FeedError('The document is compressed: upload it as plain JSON.')
  if (BYTE_ORDER_MARKS.some((mark) => startsWith(document, mark))) {
    throw new FeedError('The document starts with a byte order mark: use UTF-8 without a byte order mark.')
  }
  if (!isUtf8(document)) throw new FeedError(`The document is not UTF-8: byte ${firstInvalidByte(document)} is not.`)
}

/** The position, from 1, of the first byte that is not UTF-8. */
function firstInvalidByte(document: Buffer): number {
  for (let index = 0; index < document.length; ) {
    const byte = document[index] as number
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    if (length > 1 && !isUtf8(document.subarray(index, index + length))) return index + 1
    index += length
  }
  return document.length
}
