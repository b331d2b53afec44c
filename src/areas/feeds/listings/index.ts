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
import type { FeedPlan, FeedProcessor } from '../processor.ts'
import { type Header, readHeader } from './header.ts'
import { findLayout, type Layout, parsePart, textOf } from './layout.ts'
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
      const header = readHeader(parsePart(document, layout.header, 'header'), feed.sellerId)
      const duplicates = parseAll(document, layout)
      const places = await requireParticipation(reader, feed.sellerId, feed.marketplaceIds)
      const scope: BulkScope = {
        sellerId: feed.sellerId,
        places,
        locale: header.issueLocale ?? places[0]?.languageCode ?? 'en_US',
      }
      return createPlan(document, layout, duplicates, header, scope)
    },

    writeResult: (feed, told) => writeProcessingReport(feed, told, told.plan as ListingsPlan | undefined),
  }

  function createPlan(
    document: Buffer,
    layout: Layout,
    duplicates: ReadonlySet<number>,
    header: Header,
    scope: BulkScope,
  ): ListingsPlan {
    return {
      messages: layout.messages.length,
      header,

      async apply(tx, first, count) {
        const outcomes: BulkOutcome[] = []
        for (let next = first; next < first + count; next += MESSAGES_AT_ONCE) {
          const messages = readMessages(next, Math.min(MESSAGES_AT_ONCE, first + count - next))
          outcomes.push(...(await applySome(tx, messages)))
        }
        return outcomes
      },

      async *items(database, refused) {
        const { includedData } = header
        if (!includedData) return
        const seen = new Set<string>()
        for (let first = 0; first < layout.messages.length; first += ITEMS_IN_PAGE) {
          const page = new Set<string>()
          for (const one of readMessages(first, ITEMS_IN_PAGE)) {
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

    function readMessages(first: number, count: number): (BulkMessage | BulkIssue)[] {
      return layout.messages.slice(first, first + count).map((span, offset) => {
        const index = first + offset
        const text = textOf(document, span)
        const value: unknown = JSON.parse(text)
        if (!duplicates.has(index)) return withPlace(readMessage(value, text), index)
        return describeFault(value, `messageId ${(value as { messageId: number }).messageId} is there twice.`)
      })
    }
  }
}

/** A message without an id can be told from the others by its place alone. */
function withPlace(message: BulkMessage | BulkIssue, index: number): BulkMessage | BulkIssue {
  if (message.messageId !== undefined || !isFault(message)) return message
  return { ...message, message: `messages[${index}]: ${message.message}` }
}

const refusal = (issue: BulkIssue): BulkOutcome => ({ isAccepted: false, issues: [issue] })

/** Parses every message once before any is applied: nothing is done of a document that is not JSON to its end. */
function parseAll(document: Buffer, { messages }: Layout): Set<number> {
  const seen = new Set<number>()
  const duplicates = new Set<number>()
  messages.forEach((span, index) => {
    const value = parsePart(document, span, `messages[${index}]`)
    const messageId = (value as { messageId?: unknown } | null)?.messageId
    if (!isMessageId(messageId)) return
    if (seen.has(messageId)) duplicates.add(index)
    seen.add(messageId)
  })
  return duplicates
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
