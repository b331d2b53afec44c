import { OrderId } from '../../../../marketplace/schema.ts'
import { isMoment, parseMoment } from '../../../../platform/timestamps.ts'
import { HIGHEST_MESSAGE_ID } from '../../feed.ts'
import { type Element, textOf } from './envelope.ts'

export interface Fulfillment {
  kind: 'fulfillment'
  shippedAt: Date
  items: ShippedItem[]
}
export interface ShippedItem {
  orderItemId: string
  /** All that is left of it where absent. */
  quantity?: number
}
export interface Acknowledgement {
  kind: 'acknowledgement'
  isAccepted: boolean
}
interface Fault {
  fault: string
}

/** What a seller tells of an order: that it was sent off, or that it has arrived with them. */
export type OrderMessage = (Fulfillment | Acknowledgement) & { messageId: number; orderId: string }
export type OrderMessageFault = Fault & { messageId?: number }

const orderIdPattern = new RegExp((OrderId as { pattern?: string }).pattern ?? '')

/** Reads one `Message` of the type that its envelope names. */
export function readOrderMessage(message: Element, messageType: string, now: Date): OrderMessage | OrderMessageFault {
  const text = textOf(message, 'MessageID') ?? ''
  const id = Number(text)
  if (!/^\d{1,10}$/.test(text) || id < 1 || id > HIGHEST_MESSAGE_ID) {
    return { fault: `MessageID must be a whole number from 1 to ${HIGHEST_MESSAGE_ID}.` }
  }
  const messageId = { messageId: id }
  const body = message.children.find(({ name }) => name === messageType)
  if (!body) return { ...messageId, fault: `The message has no ${messageType}.` }
  const orderId = textOf(body, 'AmazonOrderID') ?? ''
  if (!orderIdPattern.test(orderId)) return { ...messageId, fault: 'AmazonOrderID must be the id of an order.' }
  const content = messageType === 'OrderFulfillment' ? readFulfillment(body, now) : readAcknowledgement(body)
  return 'fault' in content ? { ...messageId, ...content } : { ...messageId, orderId, ...content }
}

function readFulfillment(body: Element, now: Date): Fulfillment | Fault {
  const date = textOf(body, 'FulfillmentDate')
  if (date !== undefined && !isMoment(date)) return { fault: 'FulfillmentDate must be a date and time.' }
  const items: ShippedItem[] = []
  for (const element of body.children.filter(({ name }) => name === 'Item')) {
    const item = readItem(element)
    if ('fault' in item) return item
    items.push(item)
  }
  return { kind: 'fulfillment', shippedAt: date === undefined ? now : parseMoment(date), items }
}

function readItem(item: Element): ShippedItem | Fault {
  const orderItemId = textOf(item, 'AmazonOrderItemCode') ?? ''
  if (!/^\d{1,20}$/.test(orderItemId)) return { fault: 'AmazonOrderItemCode must be the id of an item of the order.' }
  const text = textOf(item, 'Quantity')
  if (text === undefined) return { orderItemId }
  const quantity = Number(text)
  if (!/^\d{1,7}$/.test(text) || quantity === 0) return { fault: 'Quantity must be a whole number from 1 on.' }
  return { orderItemId, quantity }
}

function readAcknowledgement(body: Element): Acknowledgement | Fault {
  const status = textOf(body, 'StatusCode')
  if (status !== 'Success' && status !== 'Failure') return { fault: 'StatusCode must be Success or Failure.' }
  return { kind: 'acknowledgement', isAccepted: status === 'Success' }
}
