import { isUtf8 } from 'node:buffer'
import { requireParticipation } from '../../../../marketplace/accounts/participation.ts'
import type {
  BulkIssue,
  BulkListings,
  BulkMessage,
  BulkOutcome,
  BulkScope,
  ShownItem,
} from '../../../../marketplace/bulk-listings.ts'
import type { Database, Transaction } from '../../../../platform/database/port.ts'
import type { Progress } from '../../feed.ts'
import { FeedFault } from '../../feed-error.ts'
import { MessageIds } from '../message-ids.ts'
import type { FeedPlan, FeedProcessor } from '../processor.ts'
import { type Header, readHeader } from './header.ts'
import { type Span, textOf } from './json-scanner.ts'
import { findLayout, LARGEST_MESSAGE_BYTES, type Layout, sizeOf } from './layout.ts'
import { describeFault, isFault, isMessageId, readMessage as toMessage } from './message.ts'
import { writeProcessingReport } from './processing-report.ts'

export interface ListingsPlan extends FeedPlan {
  header: Header
  /** Shows the items that the messages made or changed, a page at a time. */
  items(database: Database, refused: ReadonlySet<number>): AsyncIterable<readonly ShownItem[]>
}

const ITEMS_IN_PAGE = 100
// So few that they are gone before the garbage collector takes them for something that stays.
const MESSAGES_AT_ONCE = 25
// And no more of their text than one of them may have: memory follows the message, not the document.
const BYTES_AT_ONCE = LARGEST_MESSAGE_BYTES
const TOO_LARGE = `The message has more than ${LARGEST_MESSAGE_BYTES} bytes.`

/** The feed of listings: a JSON document with a header and up to 25,000 messages. */
export function createListingsProcessor(listings: BulkListings): FeedProcessor {
  return {
    async read(document, feed, reader) {
      requireText(document)
      const layout = findLayout(document)
      const header = readHeader(JSON.parse(textOf(document, layout.header)), feed.sellerId)
      const places = await requireParticipation(reader, feed.sellerId, feed.marketplaceIds)
      const scope: BulkScope = {
        sellerId: feed.sellerId,
        places,
        locale: header.issueLocale ?? places[0]?.languageCode ?? 'en_US',
      }
      return createPlan(document, layout, header, scope, feed.progress)
    },

    writeResult: (feed, told) => writeProcessingReport(feed, told, told.plan as ListingsPlan | undefined),
  }

  function createPlan(
    document: Buffer,
    layout: Layout,
    header: Header,
    scope: BulkScope,
    { applied }: Pick<Progress, 'applied'>,
  ): ListingsPlan {
    const ids = new MessageIds()
    // Whoever goes on after a crash has not seen the messages before.
    for (let index = 0; index < applied; index++) isFirst(parse(index)?.value, index)
    return {
      messages: layout.messages.length,
      header,

      async apply(tx, first, count) {
        const outcomes: BulkOutcome[] = []
        const end = Math.min(first + count, layout.messages.length)
        for (let next = first; next < end; ) {
          const after = endOfStep(next, end)
          outcomes.push(...(await applySome(tx, readMessages(next, after))))
          next = after
        }
        return outcomes
      },

      async *items(database, refused) {
        const { includedData } = header
        if (!includedData) return
        const seen = new Set<string>()
        for (let first = 0; first < layout.messages.length; first += ITEMS_IN_PAGE) {
          const page = new Set<string>()
          for (let index = first; index < Math.min(first + ITEMS_IN_PAGE, layout.messages.length); index++) {
            const one = readMessage(index)
            if (!isFault(one) && !refused.has(one.messageId) && !seen.has(one.sku)) page.add(one.sku)
          }
          for (const sku of page) seen.add(sku)
          if (page.size > 0) yield await listings.show(database, scope, [...page], includedData)
        }
      },
    }

    async function applySome(tx: Transaction, messages: readonly (BulkMessage | BulkIssue)[]): Promise<BulkOutcome[]> {
      const outcomes = await listings.apply(tx, scope, messages.filter((one) => !isFault(one)) as BulkMessage[])
      let next = 0
      return messages.map((one) => (isFault(one) ? refusal(one) : (outcomes[next++] as BulkOutcome)))
    }

    function readMessages(first: number, end: number): (BulkMessage | BulkIssue)[] {
      const messages: (BulkMessage | BulkIssue)[] = []
      for (let index = first; index < end; index++) messages.push(readMessage(index))
      return messages
    }

    function readMessage(index: number): BulkMessage | BulkIssue {
      const parsed = parse(index)
      if (!parsed) return withPlace(describeFault(undefined, TOO_LARGE), index)
      const { text, value } = parsed
      if (isFirst(value, index)) return withPlace(toMessage(value, text), index)
      return describeFault(value, `messageId ${(value as { messageId: number }).messageId} is there twice.`)
    }

    /** Nothing of a message that is too large. */
    function parse(index: number): { text: string; value: unknown } | undefined {
      const span = layout.messages[index] as Span
      if (sizeOf(span) > LARGEST_MESSAGE_BYTES) return undefined
      const text = textOf(document, span)
      return { text, value: JSON.parse(text) }
    }

    function isFirst(value: unknown, index: number): boolean {
      const messageId = (value as { messageId?: unknown } | null | undefined)?.messageId
      return !isMessageId(messageId) || ids.isFirst(messageId, index)
    }

    /** Where to stop so that what is parsed at once is little. */
    function endOfStep(first: number, end: number): number {
      let next = first
      for (let bytes = 0; next < end && next - first < MESSAGES_AT_ONCE && bytes < BYTES_AT_ONCE; next++) {
        bytes += sizeOf(layout.messages[next] as Span)
      }
      return next
    }
  }
}

/** A message without an id can be told from the others by its place alone. */
function withPlace(message: BulkMessage | BulkIssue, index: number): BulkMessage | BulkIssue {
  if (message.messageId !== undefined || !isFault(message)) return message
  return { ...message, message: `messages[${index}]: ${message.message}` }
}

const refusal = (issue: BulkIssue): BulkOutcome => ({ isAccepted: false, issues: [issue] })

const GZIP = [0x1f, 0x8b]
const startsWith = (document: Buffer, bytes: readonly number[]) =>
  bytes.every((byte, index) => document[index] === byte)
const BYTE_ORDER_MARKS = [
  [0xef, 0xbb, 0xbf],
  [0xfe, 0xff],
  [0xff, 0xfe],
]

function requireText(document: Buffer): void {
  if (document.length === 0) throw new FeedFault('The document is empty.')
  if (startsWith(document, GZIP)) throw new FeedFault('The document is compressed: upload it as plain JSON.')
  if (BYTE_ORDER_MARKS.some((mark) => startsWith(document, mark))) {
    throw new FeedFault('The document begins with a byte order mark: write it as UTF-8 without one.')
  }
  if (!isUtf8(document)) throw new FeedFault(`The document is not UTF-8: byte ${firstOddByte(document)} is not.`)
}

/** Where the text stops to be UTF-8. */
function firstOddByte(document: Buffer): number {
  for (let index = 0; index < document.length; ) {
    const byte = document[index] as number
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    if (length > 1 && !isUtf8(document.subarray(index, index + length))) return index + 1
    index += length
  }
  return document.length
}
