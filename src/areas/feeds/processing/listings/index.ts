import { isUtf8 } from 'node:buffer'
import { requireParticipation } from '../../../../marketplace/accounts/participation.ts'
import type { Database, Transaction } from '../../../../platform/database/port.ts'
import type { FeedIssue, Progress } from '../../feed.ts'
import { FeedError } from '../../feed-error.ts'
import type { BulkListings, BulkResult, BulkScope, RenderedItem } from '../../ports.ts'
import { MessageIds } from '../message-ids.ts'
import type { FeedPlan, FeedProcessor, MessageResult } from '../processor.ts'
import { type Header, parseHeader } from './header.ts'
import { type Span, textOf } from './json-scanner.ts'
import { findLayout, type Layout, MAX_MESSAGE_BYTES, sizeOf } from './layout.ts'
import { isIssue, isMessageId, type ListingMessage, parseMessage, toMessageIssue } from './message.ts'
import { writeProcessingReport } from './processing-report.ts'

const ITEMS_PER_PAGE = 100
// So few that they are gone before the garbage collector takes them for something that stays.
const MESSAGES_PER_BATCH = 25
// And no more of their text than one of them may have: memory follows the message, not the document.
const BYTES_PER_BATCH = MAX_MESSAGE_BYTES
const TOO_LARGE = `The message has more than ${MAX_MESSAGE_BYTES} bytes.`

/** The feed of listings: a JSON document with a header and up to 25,000 messages. */
export function createListingsProcessor(listings: BulkListings): FeedProcessor {
  return {
    async parse(document, feed, reader) {
      requireText(document)
      const layout = findLayout(document)
      const header = parseHeader(JSON.parse(textOf(document, layout.header)), feed.sellerId, listings.dataSets)
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

  function createPlan(
    document: Buffer,
    layout: Layout,
    header: Header,
    scope: BulkScope,
    { applied }: Pick<Progress, 'applied'>,
  ): FeedPlan {
    const ids = new MessageIds()
    // Whoever goes on after a crash has not seen the messages before.
    for (let index = 0; index < applied; index++) isFirstWithId(parse(index)?.value, index)
    return {
      messages: layout.messages.length,

      async apply(tx, first, count) {
        const results: MessageResult[] = []
        const end = Math.min(first + count, layout.messages.length)
        for (let next = first; next < end; ) {
          const after = endOfBatch(next, end)
          results.push(...(await applyMessages(tx, parseMessages(next, after))))
          next = after
        }
        return results
      },

      writeResult: (feed, input) => writeProcessingReport(feed, input, { header, renderItems }),
    }

    async function* renderItems(
      database: Database,
      rejectedIds: ReadonlySet<number>,
    ): AsyncGenerator<readonly RenderedItem[]> {
      const { includedData } = header
      if (!includedData) return
      const seen = new Set<string>()
      for (let first = 0; first < layout.messages.length; first += ITEMS_PER_PAGE) {
        const page = new Set<string>()
        for (let index = first; index < Math.min(first + ITEMS_PER_PAGE, layout.messages.length); index++) {
          const message = parseMessageAt(index)
          if (isIssue(message) || rejectedIds.has(message.messageId) || seen.has(message.sku)) continue
          page.add(message.sku)
        }
        for (const sku of page) seen.add(sku)
        if (page.size > 0) yield await listings.render(database, scope, [...page], includedData)
      }
    }

    async function applyMessages(
      tx: Transaction,
      messages: readonly (ListingMessage | FeedIssue)[],
    ): Promise<MessageResult[]> {
      const valid = messages.filter((message) => !isIssue(message)) as ListingMessage[]
      const results = await listings.apply(tx, scope, valid)
      let next = 0
      return messages.map((message) =>
        isIssue(message) ? toRejection(message) : toMessageResult(message, results[next++] as BulkResult),
      )
    }

    function parseMessages(first: number, end: number): (ListingMessage | FeedIssue)[] {
      const messages: (ListingMessage | FeedIssue)[] = []
      for (let index = first; index < end; index++) messages.push(parseMessageAt(index))
      return messages
    }

    function parseMessageAt(index: number): ListingMessage | FeedIssue {
      const parsed = parse(index)
      if (!parsed) return withIndex(toMessageIssue(undefined, TOO_LARGE), index)
      const { text, value } = parsed
      if (isFirstWithId(value, index)) return withIndex(parseMessage(value, text), index)
      return toMessageIssue(value, `messageId ${(value as { messageId: number }).messageId} is there twice.`)
    }

    /** Nothing of a message that is too large. */
    function parse(index: number): { text: string; value: unknown } | undefined {
      const span = layout.messages[index] as Span
      if (sizeOf(span) > MAX_MESSAGE_BYTES) return undefined
      const text = textOf(document, span)
      return { text, value: JSON.parse(text) }
    }

    function isFirstWithId(value: unknown, index: number): boolean {
      const messageId = (value as { messageId?: unknown } | null | undefined)?.messageId
      return !isMessageId(messageId) || ids.isFirst(messageId, index)
    }

    /** Where to stop so that what is parsed at once is little. */
    function endOfBatch(first: number, end: number): number {
      let next = first
      for (let bytes = 0; next < end && next - first < MESSAGES_PER_BATCH && bytes < BYTES_PER_BATCH; next++) {
        bytes += sizeOf(layout.messages[next] as Span)
      }
      return next
    }
  }
}

/** A message without an id can be told from the others by its place alone. */
function withIndex(message: ListingMessage | FeedIssue, index: number): ListingMessage | FeedIssue {
  if (message.messageId !== undefined || !isIssue(message)) return message
  return { ...message, message: `messages[${index}]: ${message.message}` }
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
    throw new FeedError('The document begins with a byte order mark: write it as UTF-8 without one.')
  }
  if (!isUtf8(document)) throw new FeedError(`The document is not UTF-8: byte ${firstInvalidByte(document)} is not.`)
}

/** Where the text stops to be UTF-8. */
function firstInvalidByte(document: Buffer): number {
  for (let index = 0; index < document.length; ) {
    const byte = document[index] as number
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    if (length > 1 && !isUtf8(document.subarray(index, index + length))) return index + 1
    index += length
  }
  return document.length
}
