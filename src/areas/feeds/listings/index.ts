import { isUtf8 } from 'node:buffer'
import type {
  BulkIssue,
  BulkListings,
  BulkMessage,
  BulkOutcome,
  BulkScope,
  ShownItem,
} from '../../../marketplace/bulk-listings.ts'
import { requireParticipation } from '../../../marketplace/participation.ts'
import type { Database, Transaction } from '../../../platform/database/port.ts'
import { FeedFault } from '../fault.ts'
import type { Progress } from '../feed.ts'
import type { FeedPlan, FeedProcessor } from '../processor.ts'
import { type Header, readHeader } from './header.ts'
import { type Span, textOf } from './json-scanner.ts'
import { findLayout, type Layout } from './layout.ts'
import { describeFault, isFault, isMessageId, readMessage } from './message.ts'
import { writeProcessingReport } from './report.ts'

export interface ListingsPlan extends FeedPlan {
  header: Header
  /** Shows the items that the messages made or changed, a page at a time. */
  items(database: Database, refused: ReadonlySet<number>): AsyncIterable<readonly ShownItem[]>
}

const ITEMS_IN_PAGE = 100
// So few that they are gone before the garbage collector takes them for something that stays.
const MESSAGES_AT_ONCE = 25

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
    const firstPlaces = new Map<number, number>()
    // Whoever goes on after a crash has not seen the messages before.
    for (let index = 0; index < applied; index++) notePlace(parse(index).value, index)
    return {
      messages: layout.messages.length,
      header,

      async apply(tx, first, count) {
        const outcomes: BulkOutcome[] = []
        const end = Math.min(first + count, layout.messages.length)
        for (let next = first; next < end; next += MESSAGES_AT_ONCE) {
          outcomes.push(...(await applySome(tx, readMessages(next, Math.min(next + MESSAGES_AT_ONCE, end)))))
        }
        return outcomes
      },

      async *items(database, refused) {
        const { includedData } = header
        if (!includedData) return
        const seen = new Set<string>()
        for (let first = 0; first < layout.messages.length; first += ITEMS_IN_PAGE) {
          const page = new Set<string>()
          for (const one of readMessages(first, Math.min(first + ITEMS_IN_PAGE, layout.messages.length))) {
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
      for (let index = first; index < end; index++) {
        const { text, value } = parse(index)
        messages.push(
          notePlace(value, index)
            ? withPlace(readMessage(value, text), index)
            : describeFault(value, `messageId ${(value as { messageId: number }).messageId} is there twice.`),
        )
      }
      return messages
    }

    function parse(index: number): { text: string; value: unknown } {
      const text = textOf(document, layout.messages[index] as Span)
      return { text, value: JSON.parse(text) }
    }

    /** Answers whether no message before it has its id. Messages may be read again, but none is left out. */
    function notePlace(value: unknown, index: number): boolean {
      const messageId = (value as { messageId?: unknown } | null)?.messageId
      if (!isMessageId(messageId)) return true
      const firstPlace = firstPlaces.get(messageId) ?? index
      firstPlaces.set(messageId, firstPlace)
      return firstPlace === index
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
