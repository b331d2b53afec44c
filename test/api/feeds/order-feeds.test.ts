import { beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '../../../src/marketplace/trade/orders.ts'
import { DE, FULFILLMENT, US } from '../../support/feeds.ts'
import { acknowledgement, allGood, message, OrderFeedsClient, sent, shipment } from '../../support/order-feeds.ts'
import { buildOrder } from '../../support/orders.ts'
import { putResources } from '../../support/seller-client.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: OrderFeedsClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrderFeedsClient(souk)
})

const shippedOf = ({ items }: Order) => items.map(({ quantityShipped }) => quantityShipped)

describe('POST_ORDER_FULFILLMENT_DATA', () => {
  test('ships the whole order if the message has no items', async () => {
    const orderId = await client.newOrder()
    const date = '<FulfillmentDate>2026-05-31T10:00:00+02:00</FulfillmentDate>'
    const carrier =
      '<FulfillmentData><CarrierCode>DHL</CarrierCode><ShipperTrackingNumber>1 &amp; 2</ShipperTrackingNumber></FulfillmentData>'
    expect(await client.ship(shipment(orderId, date + carrier))).toEqual(allGood(1))
    const order = await client.readOrder(orderId)
    expect(order).toMatchObject({
      status: 'Shipped',
      shippedAt: '2026-05-31T08:00:00.000Z',
      updatedAt: souk.clock.now().toISOString(),
    })
    expect(shippedOf(order)).toEqual([3, 1])
  })

  test('ships an order in parts', async () => {
    const orderId = await client.newOrder()
    expect(await client.ship(shipment(orderId, sent('11', 2)))).toEqual(allGood(1))
    expect(await client.readOrder(orderId)).toMatchObject({ status: 'PartiallyShipped' })
    expect(shippedOf(await client.readOrder(orderId))).toEqual([2, 0])
    expect(await client.ship(shipment(orderId, sent('11') + sent('22', 1)))).toEqual(allGood(1))
    expect(await client.readOrder(orderId)).toMatchObject({ status: 'Shipped' })
    expect(shippedOf(await client.readOrder(orderId))).toEqual([3, 1])
  })

  test('applies several messages of one order in order', async () => {
    const orderId = await client.newOrder()
    expect(
      await client.ship(shipment(orderId, sent('11', 1)), shipment(orderId, sent('11', 1)), shipment(orderId)),
    ).toEqual(allGood(3))
    expect(await client.readOrder(orderId)).toMatchObject({ status: 'Shipped' })
  })

  test('ships on the day of the order, whose time is not known', async () => {
    const purchasedAt = '2026-05-31T10:00:00.000Z'
    const orderId = await client.newOrder({ purchasedAt })
    expect(await client.ship(shipment(orderId, '<FulfillmentDate>2026-05-31</FulfillmentDate>'))).toEqual(allGood(1))
    expect(await client.readOrder(orderId)).toMatchObject({ shippedAt: purchasedAt })
  })

  test('numbers a package with the lowest free number, whatever numbers the seller has used', async () => {
    const orderId = await client.newOrder()
    const [highest, second] = ['9'.repeat(20), '2']
    const boxes = [highest, second].map((packageReferenceId) => ({
      packageReferenceId,
      carrierCode: 'DHL',
      shippedAt: '2026-05-31T10:00:00.000Z',
      items: [{ orderItemId: '11', quantity: 1 }],
    }))
    const order = await client.readOrder(orderId)
    const items = order.items.map((item) => ({ ...item, quantityShipped: item.orderItemId === '11' ? 2 : 0 }))
    await putResources(souk, 'orders', [{ ...order, status: 'PartiallyShipped', items, packages: boxes }])
    const carrier = '<FulfillmentData><CarrierCode>DHL</CarrierCode></FulfillmentData>'
    expect(await client.ship(shipment(orderId, carrier + sent('11', 1)), shipment(orderId, carrier))).toEqual(
      allGood(2),
    )
    const { packages = [] } = await client.readOrder(orderId)
    expect(packages.map(({ packageReferenceId }) => packageReferenceId).sort()).toEqual(['1', '2', '3', highest])
  })

  test('ships at the time of the feed by default', async () => {
    const orderId = await client.newOrder()
    await client.ship(shipment(orderId))
    expect(await client.readOrder(orderId)).toMatchObject({ shippedAt: souk.clock.now().toISOString() })
  })

  test('reports the error of each invalid message, and applies the others', async () => {
    const [good, shipped, canceled, pending, fba] = [
      await client.newOrder(),
      await client.newOrder({ status: 'Shipped' }),
      await client.newOrder({ status: 'Canceled' }),
      await client.newOrder({ status: 'Pending' }),
      await client.newOrder({ fulfillmentChannel: 'AFN' }),
    ]
    const german = await client.newOrder({ marketplaceId: DE, currencyCode: 'EUR' })
    const partly = await client.newOrder()
    const theirs = await client.newOrder({ sellerId: souk.demo.otherSeller.sellerId })
    const wrong: [body: string, reason: RegExp][] = [
      [shipment(shipped), /is Shipped and cannot be shipped/],
      [shipment(canceled), /is Canceled/],
      [shipment(pending), /is Pending/],
      [shipment(fba), /marketplace fulfills/],
      [shipment(german), /Order .* was not found in the marketplaces of the feed/],
      [shipment(theirs), /Order .* was not found/],
      [shipment('999-9999999-9999999'), /Order 999-9999999-9999999 was not found/],
      [shipment('12345'), /AmazonOrderID must be/],
      ['<OrderFulfillment/>', /AmazonOrderID must be/],
      ['<OrderAdjustment/>', /has no OrderFulfillment/],
      [shipment(partly, sent('33')), /has no item 33/],
      [shipment(partly, sent('11', 4)), /Only 3 of item 11 remain/],
      [shipment(partly, sent('11', 2) + sent('11', 2)), /Only 1 of item 11 remain/],
      [shipment(partly, sent('11', 0)), /Quantity must be/],
      [shipment(partly, sent('11', -1)), /Quantity must be/],
      [shipment(partly, sent('11', '1.5')), /Quantity must be/],
      [shipment(partly, sent('11', 'many')), /Quantity must be/],
      [shipment(partly, sent('')), /AmazonOrderItemCode must be/],
      [shipment(partly, sent('x')), /AmazonOrderItemCode must be/],
      [shipment(partly, '<FulfillmentDate>yesterday</FulfillmentDate>'), /FulfillmentDate must be/],
      [shipment(partly, '<FulfillmentDate>9999-01-01T00:00:00Z</FulfillmentDate>'), /must not be in the future/],
      [shipment(partly, '<FulfillmentDate>1987-01-01T00:00:00Z</FulfillmentDate>'), /must not be before the order/],
      [shipment(partly, '<FulfillmentDate>2026-02-30T00:00:00Z</FulfillmentDate>'), /FulfillmentDate must be/],
    ]
    const report = await client.ship(...wrong.map(([body]) => body), shipment(good))
    expect(report.status).toBe('DONE')
    expect(report.counts).toEqual([wrong.length + 1, 1, wrong.length])
    expect(report.results).toEqual(
      wrong.map(([, reason], index) => ({
        messageId: index + 1,
        code: 'Error 18028',
        description: expect.stringMatching(reason),
      })),
    )
    expect(await client.readOrder(good)).toMatchObject({ status: 'Shipped' })
    expect(await client.readOrder(partly)).toMatchObject({ status: 'Unshipped' })
    expect(shippedOf(await client.readOrder(partly))).toEqual([0, 0])
    expect(await client.readOrder(theirs, souk.demo.otherSeller.sellerId)).toMatchObject({ status: 'Unshipped' })
    expect(await client.readOrder(german)).toMatchObject({ status: 'Unshipped' })
  })

  test.each(['', '0', '-1', 'x', '2147483648', '1.5'])('rejects a message with the id %o', async (id) => {
    const orderId = await client.newOrder()
    const report = await client.submit(FULFILLMENT, client.envelope('OrderFulfillment', message(id, shipment(orderId))))
    expect(report).toMatchObject({ status: 'DONE', results: [{ description: expect.stringContaining('MessageID') }] })
    expect(await client.readOrder(orderId)).toMatchObject({ status: 'Unshipped' })
  })

  test('rejects a message with a duplicate id', async () => {
    const [first, second] = [await client.newOrder(), await client.newOrder()]
    const messages = [message(7, shipment(first)), message(7, shipment(second)), message(8, shipment(second))]
    const ended = await client.submit(FULFILLMENT, client.envelope('OrderFulfillment', messages.join('')))
    expect(ended).toEqual({
      status: 'DONE',
      counts: [3, 2, 1],
      results: [{ messageId: 7, code: 'Error 18028', description: 'MessageID 7 is duplicated.' }],
    })
  })

  test('rejects a message that is too large, and applies the next', async () => {
    const orderId = await client.newOrder()
    const large = `<OrderFulfillment>${'<Item/>'.repeat(150_000)}</OrderFulfillment>`
    const messages = message(1, large) + message(2, shipment(orderId))
    const { counts, results } = await client.submit(FULFILLMENT, client.envelope('OrderFulfillment', messages))
    expect(counts).toEqual([2, 1, 1])
    expect(results).toEqual([
      {
        messageId: 0,
        code: 'Error 18028',
        description: 'Message number 1 of the document has more than 1048576 characters.',
      },
    ])
    expect((await client.readOrder(orderId)).status).toBe('Shipped')
  })

  test('ships orders of the marketplaces of the feed', async () => {
    const german = await client.newOrder({ marketplaceId: DE, currencyCode: 'EUR' })
    const document = client.envelope('OrderFulfillment', message(1, shipment(german)))
    expect(await client.submit(FULFILLMENT, document, { marketplaceIds: [US, DE] })).toEqual(allGood(1))
    expect(await client.readOrder(german)).toMatchObject({ status: 'Shipped' })
  })

  test('ships hundreds of orders, each once', async () => {
    const orderIds: string[] = []
    for (let count = 0; count < 300; count++) orderIds.push(`901-0000000-${String(count).padStart(7, '0')}`)
    const orders = orderIds.map((orderId) =>
      buildOrder(souk.clock.now(), { sellerId: client.sellerId, orderId, status: 'Unshipped' }),
    )
    await putResources(souk, 'orders', orders)
    expect(await client.ship(...orderIds.map((orderId) => shipment(orderId)))).toEqual(allGood(300))
    expect(await client.readOrder(orderIds[299] as string)).toMatchObject({ status: 'Shipped' })
  })
})

describe('POST_ORDER_ACKNOWLEDGEMENT_DATA', () => {
  test('with Success records when the order was acknowledged', async () => {
    const orderId = await client.newOrder()
    expect(await client.acknowledge(acknowledgement(orderId))).toEqual(allGood(1))
    expect(await client.readOrder(orderId)).toMatchObject({
      status: 'Unshipped',
      acknowledgedAt: souk.clock.now().toISOString(),
    })
  })

  test('with Failure cancels the order', async () => {
    const orderId = await client.newOrder()
    const failure =
      '<StatusCode>Failure</StatusCode><Item><AmazonOrderItemCode>11</AmazonOrderItemCode><CancelReason>NoInventory</CancelReason></Item>'
    expect(await client.acknowledge(acknowledgement(orderId, failure))).toEqual(allGood(1))
    expect(await client.readOrder(orderId)).toMatchObject({ status: 'Canceled' })
  })

  test('reports the error of each invalid message, and applies the others', async () => {
    const [good, shipped] = [await client.newOrder(), await client.newOrder({ status: 'Shipped' })]
    const fba = await client.newOrder({ fulfillmentChannel: 'AFN' })
    const report = await client.acknowledge(
      acknowledgement(shipped, '<StatusCode>Failure</StatusCode>'),
      acknowledgement(good, '<StatusCode>Maybe</StatusCode>'),
      acknowledgement(good, ''),
      acknowledgement('999-9999999-9999999'),
      acknowledgement(fba, '<StatusCode>Failure</StatusCode>'),
      acknowledgement(good),
    )
    expect(report).toMatchObject({ status: 'DONE', counts: [6, 1, 5] })
    expect(report.results.map(({ messageId, description }) => [messageId, description])).toEqual([
      [1, expect.stringContaining('is Shipped and can no longer be cancelled')],
      [2, expect.stringContaining('StatusCode must be Success or Failure')],
      [3, expect.stringContaining('StatusCode')],
      [4, expect.stringContaining('was not found')],
      [5, expect.stringContaining('marketplace fulfills')],
    ])
    expect(await client.readOrder(fba)).toMatchObject({ status: 'Unshipped' })
    expect(await client.readOrder(shipped)).toMatchObject({ status: 'Shipped' })
    expect((await client.readOrder(good)).acknowledgedAt).toBeTruthy()
  })
})
