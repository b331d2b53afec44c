import { setImmediate } from 'node:timers/promises'
import type { BulkIssue, BulkOutcome } from '../../../../marketplace/bulk-listings.ts'
import { orderChanges } from '../../../../marketplace/trade/order-change-events.ts'
import { findOrders, type Order, upsertOrders } from '../../../../marketplace/trade/orders.ts'
import type { Clock } from '../../../../platform/clock/port.ts'
import type { Transaction } from '../../../../platform/database/port.ts'
import type { Outbox } from '../../../../platform/outbox/outbox.ts'
import type { Feed } from '../../feed.ts'
import { FeedFault } from '../../feed-error.ts'
import { MessageIds } from '../message-ids.ts'
import type { FeedProcessor } from '../processor.ts'
import { writeXmlReport } from '../xml-report.ts'
import { applyToOrder } from './apply.ts'
import { type Envelope, LARGEST_MESSAGE_CHARACTERS, readEnvelope } from './envelope.ts'
import { type OrderMessage, type OrderMessageFault, readOrderMessage } from './order-message.ts'

// The live service's code for data that is incomplete or invalid.
const FAULT_CODE = '18028'

// Parsed in one go, within a transaction: many large messages would hold up other writers for seconds.
const CHARACTERS_AT_ONCE = LARGEST_MESSAGE_CHARACTERS

/** A feed by which sellers tell of their orders: an XML document with messages of one type. */
export function createOrderProcessor(
  messageType: string,
  { clock, outbox }: { clock: Clock; outbox: Outbox },
): FeedProcessor {
  return {
    async read(document, feed) {
      const envelope = await readEnvelope(document)
      if (envelope.messageType !== messageType) {
        throw new FeedFault(`The MessageType must be ${messageType}, not "${envelope.messageType}".`)
      }
      if (envelope.merchantIdentifier !== feed.sellerId) {
        throw new FeedFault(`The MerchantIdentifier must be ${feed.sellerId}.`)
      }
      const ids = new MessageIds()
      // Whoever goes on after a crash has not seen the messages before.
      for (let index = 0, characters = 0; index < feed.progress.applied; index++) {
        readMessage(envelope, ids, index, clock.now())
        characters += envelope.sizeOf(index)
        if (characters < CHARACTERS_AT_ONCE) continue
        characters = 0
        await setImmediate()
      }
      return {
        messages: envelope.messages,
        apply(tx, first, count) {
          const now = clock.now()
          const messages: (OrderMessage | OrderMessageFault)[] = []
          const end = Math.min(first + count, envelope.messages)
          for (let index = first, characters = 0; index < end && characters < CHARACTERS_AT_ONCE; index++) {
            messages.push(readMessage(envelope, ids, index, now))
            characters += envelope.sizeOf(index)
          }
          return apply(tx, feed, messages, now)
        },
      }
    },

    writeResult: writeXmlReport,
  }

  function readMessage(
    envelope: Envelope,
    ids: MessageIds,
    index: number,
    now: Date,
  ): OrderMessage | OrderMessageFault {
    const element = envelope.readMessage(index)
    if (!element) {
      const fault = `Message number ${index + 1} of the document has more than ${LARGEST_MESSAGE_CHARACTERS} characters.`
      return { fault }
    }
    const message = readOrderMessage(element, messageType, now)
    const { messageId } = message
    if (messageId === undefined || ids.isFirst(messageId, index)) return message
    return { messageId, fault: `MessageID ${messageId} is there twice.` }
  }

  async function apply(
    tx: Transaction,
    { sellerId, marketplaceIds }: Feed,
    messages: readonly (OrderMessage | OrderMessageFault)[],
    now: Date,
  ) {
    const keys = messages.flatMap((one) => ('fault' in one ? [] : [{ sellerId, orderId: one.orderId }]))
    const before = await findOrders(tx, keys)
    const orders = new Map(before.map((order) => [order.orderId, order]))
    const changed = new Set<string>()
    const outcomes = messages.map((message): BulkOutcome => {
      const order = 'fault' in message ? undefined : orders.get(message.orderId)
      const after = applyOne(message, order, marketplaceIds, now)
      if ('fault' in after) return refusal(message, after.fault)
      orders.set(after.orderId, after)
      changed.add(after.orderId)
      return { isAccepted: true, issues: [] }
    })
    const after = [...changed].map((orderId) => orders.get(orderId) as Order)
    await upsertOrders(tx, after, now)
    await outbox.append(tx, orderChanges(before, after, now))
    return outcomes
  }
}

function applyOne(
  message: OrderMessage | OrderMessageFault,
  order: Order | undefined,
  marketplaceIds: readonly string[],
  now: Date,
): Order | { fault: string } {
  if ('fault' in message) return message
  if (!order || !marketplaceIds.includes(order.marketplaceId)) {
    return { fault: `There is no order ${message.orderId} in the marketplaces of the feed.` }
  }
  return applyToOrder(order, message, now)
}

function refusal({ messageId }: { messageId?: number }, message: string): BulkOutcome {
  const issue: BulkIssue = { code: FAULT_CODE, severity: 'ERROR', message }
  return { isAccepted: false, issues: [messageId === undefined ? issue : { messageId, ...issue }] }
}
