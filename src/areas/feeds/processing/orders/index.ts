import { setImmediate } from 'node:timers/promises'
import { MAX_PACKAGES, type Order, type Package } from '../../../../marketplace/trade/order.ts'
import { LOCKS_ORDERS, type OrderWriter } from '../../../../marketplace/trade/order-writer.ts'
import { findOrdersToChange } from '../../../../marketplace/trade/orders.ts'
import type { Clock } from '../../../../platform/clock/port.ts'
import type { Transaction } from '../../../../platform/database/port.ts'
import type { Feed, FeedIssue } from '../../feed.ts'
import { FeedError } from '../../feed-error.ts'
import { MessageIds } from '../message-ids.ts'
import type { FeedProcessor, MessageResult } from '../processor.ts'
import { writeXmlReport } from '../xml-report.ts'
import { applyOrderMessage, packageOf } from './apply.ts'
import { type Envelope, MAX_MESSAGE_CHARACTERS, parseEnvelope } from './envelope.ts'
import { type InvalidOrderMessage, type OrderMessage, parseOrderMessage } from './order-message.ts'

// The live service's code for data that is incomplete or invalid.
const INVALID_DATA_CODE = '18028'

// Messages are parsed within the transaction: many large ones would block other writers for seconds.
const CHARACTERS_PER_STEP = MAX_MESSAGE_CHARACTERS

/** Feeds that confirm or ship orders: XML documents with messages of one type. */
export function createOrderProcessor(
  messageType: string,
  { clock, orders }: { clock: Clock; orders: OrderWriter },
): FeedProcessor {
  return {
    async parse(document, feed) {
      const envelope = await parseEnvelope(document)
      if (envelope.messageType !== messageType) {
        throw new FeedError(`The MessageType must be ${messageType}, not "${envelope.messageType}".`)
      }
      if (envelope.merchantIdentifier !== feed.sellerId) {
        throw new FeedError(`The MerchantIdentifier must be ${feed.sellerId}.`)
      }
      const ids = new MessageIds()
      // After a crash, the messages that are already applied were parsed by another process.
      for (let index = 0, characters = 0; index < feed.progress.applied; index++) {
        parseMessageAt(envelope, ids, index)
        characters += envelope.sizeOf(index)
        if (characters < CHARACTERS_PER_STEP) continue
        characters = 0
        await setImmediate()
      }
      return {
        messages: envelope.messages,
        transaction: LOCKS_ORDERS,
        async prepare(tx, first, count) {
          const messages: (OrderMessage | InvalidOrderMessage)[] = []
          const end = Math.min(first + count, envelope.messages)
          for (let index = first, characters = 0; index < end && characters < CHARACTERS_PER_STEP; index++) {
            messages.push(parseMessageAt(envelope, ids, index))
            characters += envelope.sizeOf(index)
          }
          return { write: () => apply(tx, feed, messages) }
        },
        writeResult: writeXmlReport,
      }
    },

    writeFailure: writeXmlReport,
  }

  function parseMessageAt(envelope: Envelope, ids: MessageIds, index: number): OrderMessage | InvalidOrderMessage {
    const element = envelope.parseMessage(index)
    if (!element) {
      return {
        error: `Message number ${index + 1} of the document has more than ${MAX_MESSAGE_CHARACTERS} characters.`,
      }
    }
    const message = parseOrderMessage(element, messageType)
    const { messageId } = message
    if (messageId === undefined || ids.isFirst(messageId, index)) return message
    return { messageId, error: `MessageID ${messageId} is duplicated.` }
  }

  async function apply(
    tx: Transaction,
    { sellerId, marketplaceIds }: Feed,
    messages: readonly (OrderMessage | InvalidOrderMessage)[],
  ) {
    const keys = messages.flatMap((message) => ('error' in message ? [] : [{ sellerId, orderId: message.orderId }]))
    const before = await findOrdersToChange(tx, keys, { packages: true })
    // Not earlier: another change of the orders may have been waited for.
    const now = clock.now()
    const changes = new Map(
      before.map((order) => [order.orderId, { before: order, after: order, packages: [] as Package[] }]),
    )
    const results = messages.map((message): MessageResult => {
      const change = 'error' in message ? undefined : changes.get(message.orderId)
      const after = applyMessage(message, change?.after, marketplaceIds, now)
      if ('error' in after) return rejectMessage(message, after.error)
      if (!change) throw new Error('A message was applied to no order')
      if ('kind' in message && message.kind === 'fulfillment') {
        const known = [...(change.before.packages ?? []), ...change.packages]
        if (message.carrier && known.length >= MAX_PACKAGES) {
          return rejectMessage(message, `The order already has ${MAX_PACKAGES} packages.`)
        }
        const sent = packageOf(message, change.after, after, known)
        if (sent) change.packages.push(sent)
      }
      change.after = after
      return { isAccepted: true, issues: [] }
    })
    const changed = [...changes.values()].filter((change) => change.after !== change.before)
    await orders.update(tx, changed, now)
    return results
  }
}

function applyMessage(
  message: OrderMessage | InvalidOrderMessage,
  order: Order | undefined,
  marketplaceIds: readonly string[],
  now: Date,
): Order | { error: string } {
  if ('error' in message) return message
  if (!order || !marketplaceIds.includes(order.marketplaceId)) {
    return { error: `Order ${message.orderId} was not found in the marketplaces of the feed.` }
  }
  return applyOrderMessage(order, message, now)
}

function rejectMessage({ messageId }: { messageId?: number }, message: string): MessageResult {
  const issue: FeedIssue = { code: INVALID_DATA_CODE, severity: 'ERROR', message }
  return { isAccepted: false, issues: [messageId === undefined ? issue : { messageId, ...issue }] }
}
