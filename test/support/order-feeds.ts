import { expect } from 'vitest'
import type { Order } from '../../src/marketplace/trade/orders.ts'
import { ACKNOWLEDGEMENT, FeedsClient, FULFILLMENT, XML_TYPE } from './feeds.ts'
import { buildOrder } from './orders.ts'
import { putResources } from './seller-client.ts'
import { childrenOf, parseXml, type XmlElement } from './xml.ts'

/** A seller's client of feeds about orders. */
export class OrderFeedsClient extends FeedsClient {
  #ordersMade = 0

  /** Creates an order of two items, with quantities 3 and 1. */
  async newOrder(overrides: Partial<Order> = {}): Promise<string> {
    const orderId = `900-0000000-${String(++this.#ordersMade).padStart(7, '0')}`
    const item = { sku: 'SKU-1', asin: 'B0SOUK0001', title: 'Shoe', priceMinor: 8990 }
    const order = buildOrder(this.souk.clock.now(), {
      sellerId: this.sellerId,
      orderId,
      status: 'Unshipped',
      shippedAt: null,
      deliveredAt: null,
      items: [
        { ...item, orderItemId: '11', quantity: 3 },
        { ...item, orderItemId: '22', quantity: 1 },
      ],
      ...overrides,
    })
    await putResources(this.souk, 'orders', [order])
    return orderId
  }

  async readOrder(orderId: string, sellerId = this.sellerId): Promise<Order> {
    for (let token = ''; ; ) {
      const path = `/operator/v1/orders?sellerId=${sellerId}&pageSize=1000${token}`
      const { orders, nextToken } = (await this.souk.get(path, { headers: this.souk.operator })).json()
      const found = orders.find((order: Order) => order.orderId === orderId)
      if (found) return found
      if (!nextToken) throw new Error(`There is no order ${orderId}`)
      token = `&nextToken=${encodeURIComponent(nextToken)}`
    }
  }

  /** A document of messages of one type. */
  envelope = (messageType: string, messages: string, merchant = this.sellerId) =>
    `<?xml version="1.0" encoding="UTF-8"?>
<AmazonEnvelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="amzn-envelope.xsd">
  <Header><DocumentVersion>1.01</DocumentVersion><MerchantIdentifier>${merchant}</MerchantIdentifier></Header>
  <MessageType>${messageType}</MessageType>
  ${messages}
</AmazonEnvelope>`

  /** Processes a document. Returns the status of the feed, its counts and its errors. */
  async submit(feedType: string, document: string | Uint8Array<ArrayBuffer>, fields: object = {}) {
    const feed = await this.finished(document, { feedType, ...fields }, XML_TYPE)
    const root = parseXml(await this.result(feed))
    expect(root.name).toBe('AmazonEnvelope')
    expect(textOf(root, 'MessageType')).toBe('ProcessingReport')
    expect(textOf(childrenOf(root, 'Header')[0], 'MerchantIdentifier')).toBe(this.sellerId)
    const [report] = childrenOf(childrenOf(root, 'Message')[0], 'ProcessingReport')
    expect(textOf(report, 'DocumentTransactionID')).toBe(feed.feedId)
    const [summary] = childrenOf(report, 'ProcessingSummary')
    const counts = ['MessagesProcessed', 'MessagesSuccessful', 'MessagesWithError']
    return {
      status: feed.processingStatus,
      counts: counts.map((name) => Number(textOf(summary, name))),
      results: childrenOf(report, 'Result').map((result) => ({
        messageId: Number(textOf(result, 'MessageID')),
        code: `${textOf(result, 'ResultCode')} ${textOf(result, 'ResultMessageCode')}`,
        description: textOf(result, 'ResultDescription'),
      })),
    }
  }

  /** Ships orders, in messages numbered from 1. */
  ship = (...bodies: string[]) => this.submit(FULFILLMENT, this.envelope('OrderFulfillment', numbered(bodies)))

  acknowledge = (...bodies: string[]) =>
    this.submit(ACKNOWLEDGEMENT, this.envelope('OrderAcknowledgement', numbered(bodies)))
}

const textOf = (element: XmlElement | undefined, name: string) => childrenOf(element, name)[0]?.text ?? ''
const numbered = (bodies: readonly string[]) => bodies.map((body, index) => message(index + 1, body)).join('\n')

export const message = (id: number | string, body: string) => `<Message><MessageID>${id}</MessageID>${body}</Message>`

export const shipment = (orderId: string, more = '') =>
  `<OrderFulfillment><AmazonOrderID>${orderId}</AmazonOrderID>${more}</OrderFulfillment>`

/** An item of a shipment. */
export const sent = (orderItemId: string, quantity?: number | string) =>
  `<Item><AmazonOrderItemCode>${orderItemId}</AmazonOrderItemCode>${
    quantity === undefined ? '' : `<Quantity>${quantity}</Quantity>`
  }</Item>`

export const acknowledgement = (orderId: string, status = '<StatusCode>Success</StatusCode>') =>
  `<OrderAcknowledgement><AmazonOrderID>${orderId}</AmazonOrderID>${status}</OrderAcknowledgement>`

/** The result of a document without errors. */
export const allGood = (count: number) => ({ status: 'DONE', counts: [count, count, 0], results: [] })
