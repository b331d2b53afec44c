import { OrderId } from '../../../../marketplace/schema.ts'
import type { Package } from '../../../../marketplace/trade/order.ts'
import type { ShippedItem } from '../../../../marketplace/trade/shipments.ts'
import { isTimestamp } from '../../../../platform/timestamps.ts'
import { MAX_MESSAGE_ID } from '../../feed.ts'
import { type Element, textOf } from './envelope.ts'

export interface Fulfillment {
  kind: 'fulfillment'
  /** A date, or a date and time. Absent: the time of the feed. */
  shipDate?: string
  items: ShippedItem[]
  carrier?: Carrier
}
type Carrier = Pick<Package, 'carrierCode' | 'carrierName' | 'shippingMethod' | 'trackingNumber'>
export interface Acknowledgement {
  kind: 'acknowledgement'
  isAccepted: boolean
}
interface Invalid {
  error: string
}

export type OrderMessage = (Fulfillment | Acknowledgement) & { messageId: number; orderId: string }
export type InvalidOrderMessage = Invalid & { messageId?: number }

const orderIdPattern = new RegExp((OrderId as { pattern?: string }).pattern ?? '')

/** Parses a `Message` of the message type of the envelope. */
export function parseOrderMessage(message: Element, messageType: string): OrderMessage | InvalidOrderMessage {
  const text = textOf(message, 'MessageID') ?? ''
  const id = Number(text)
  if (!/^\d{1,10}$/.test(text) || id < 1 || id > MAX_MESSAGE_ID) {
    return { error: `MessageID must be an integer from 1 to ${MAX_MESSAGE_ID}.` }
  }
  const messageId = { messageId: id }
  const body = message.children.find(({ name }) => name === messageType)
  if (!body) return { ...messageId, error: `The message has no ${messageType}.` }
  const orderId = textOf(body, 'AmazonOrderID') ?? ''
  if (!orderIdPattern.test(orderId)) return { ...messageId, error: 'AmazonOrderID must be the id of an order.' }
  const content = messageType === 'OrderFulfillment' ? parseFulfillment(body) : parseAcknowledgement(body)
  return 'error' in content ? { ...messageId, ...content } : { ...messageId, orderId, ...content }
}

function parseFulfillment(body: Element): Fulfillment | Invalid {
  const date = textOf(body, 'FulfillmentDate')
  if (date !== undefined && !isTimestamp(date)) return { error: 'FulfillmentDate must be a date and time.' }
  const items: ShippedItem[] = []
  for (const element of body.children.filter(({ name }) => name === 'Item')) {
    const item = parseItem(element)
    if ('error' in item) return item
    items.push(item)
  }
  const carrier = parseCarrier(body)
  return { kind: 'fulfillment', ...(date !== undefined && { shipDate: date }), items, ...(carrier && { carrier }) }
}

// As long as the names of other fields may be.
const MAX_TEXT_LENGTH = 500

function parseCarrier(body: Element): Carrier | undefined {
  const data = body.children.find(({ name }) => name === 'FulfillmentData')
  const text = (name: string) => (data && textOf(data, name)?.slice(0, MAX_TEXT_LENGTH)) || undefined
  const carrierName = text('CarrierName')
  const carrierCode = text('CarrierCode') ?? (carrierName && 'Other')
  if (carrierCode === undefined) return undefined
  const [shippingMethod, trackingNumber] = [text('ShippingMethod'), text('ShipperTrackingNumber')]
  return {
    carrierCode,
    ...(carrierName !== undefined && { carrierName }),
    ...(shippingMethod !== undefined && { shippingMethod }),
    ...(trackingNumber !== undefined && { trackingNumber }),
  }
}

function parseItem(item: Element): ShippedItem | Invalid {
  const orderItemId = textOf(item, 'AmazonOrderItemCode') ?? ''
  if (!/^\d{1,20}$/.test(orderItemId)) return { error: 'AmazonOrderItemCode must be the id of an item of the order.' }
  const text = textOf(item, 'Quantity')
  if (text === undefined) return { orderItemId }
  const quantity = Number(text)
  if (!/^\d{1,7}$/.test(text) || quantity === 0) return { error: 'Quantity must be a positive integer.' }
  return { orderItemId, quantity }
}

function parseAcknowledgement(body: Element): Acknowledgement | Invalid {
  const status = textOf(body, 'StatusCode')
  if (status !== 'Success' && status !== 'Failure') return { error: 'StatusCode must be Success or Failure.' }
  return { kind: 'acknowledgement', isAccepted: status === 'Success' }
}
