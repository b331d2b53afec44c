import { beforeAll, describe, expect, test } from 'vitest'
import { FULFILLMENT, RETIRED } from '../../support/feeds.ts'
import { allGood, message, OrderFeedsClient, shipment } from '../../support/order-feeds.ts'
import { startTestSouk } from '../../support/souk.ts'

let client: OrderFeedsClient
beforeAll(async () => {
  client = new OrderFeedsClient(await startTestSouk())
})

describe('an order feed with an invalid document is FATAL, with the reason in its result, and changes no order:', () => {
  const laughs = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join(
    '',
  )
  const withDoctype = (doctype: string, inside: string) =>
    client.envelope('OrderFulfillment', message(1, shipment(inside))).replace('?>', `?>${doctype}`)

  test.each<[string, (orderId: string) => string | Uint8Array<ArrayBuffer>, RegExp]>([
    ['empty', () => '', /empty/],
    ['not UTF-8', () => Buffer.from([0x3c, 0xff, 0xfe]) as Uint8Array<ArrayBuffer>, /not UTF-8/],
    ['no XML', () => 'order-id\tquantity', /line 1/],
    ['JSON', () => '{"header":{}}', /line 1/],
    [
      'truncated',
      (orderId) => client.envelope('OrderFulfillment', message(1, shipment(orderId))).slice(0, -40),
      /line \d+, column/,
    ],
    ['with tags crossed', () => '<AmazonEnvelope><Message></AmazonEnvelope></Message>', /line 1/],
    ['with two roots', () => '<AmazonEnvelope/><AmazonEnvelope/>', /line 1/],
    ['not an envelope', () => '<Orders/>', /must be an AmazonEnvelope/],
    ['without messages', () => client.envelope('OrderFulfillment', ''), /at least one/],
    [
      'of another kind of message',
      (orderId) => client.envelope('OrderAcknowledgement', message(1, shipment(orderId))),
      /MessageType must be OrderFulfillment/,
    ],
    [
      'of another merchant',
      (orderId) => client.envelope('OrderFulfillment', message(1, shipment(orderId)), 'A2SOUKOTHERSEL'),
      /MerchantIdentifier must be A1SOUKDEMOSELL/,
    ],
    [
      'with a document type',
      (orderId) => withDoctype('<!DOCTYPE AmazonEnvelope>', orderId),
      /document type is not allowed/,
    ],
    [
      'with a document type elsewhere',
      (orderId) => withDoctype('<!DOCTYPE AmazonEnvelope SYSTEM "http://127.0.0.1:1/x.dtd">', orderId),
      /document type is not allowed/,
    ],
    [
      'with an external entity',
      () => withDoctype('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'),
      /document type is not allowed/,
    ],
    [
      'with a billion laughs',
      () => withDoctype(`<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]>`, '&l9;'),
      /document type is not allowed/,
    ],
    ['with an unknown entity', () => client.envelope('OrderFulfillment', message(1, shipment('&x;'))), /line \d+/],
    [
      'with a character that XML cannot hold',
      () => client.envelope('OrderFulfillment', message(1, shipment('&#0;'))),
      /line \d+/,
    ],
    ['nested too deep', () => '<AmazonEnvelope>'.repeat(1000), /more than 20 levels/],
    [
      'with 25,001 messages',
      () => client.envelope('OrderFulfillment', '<Message/>'.repeat(25_001)),
      /more than 25000 messages/,
    ],
  ])('%s', async (_what, documentOf, reason) => {
    const orderId = await client.newOrder()
    const report = await client.submit(FULFILLMENT, documentOf(orderId))
    expect(report).toEqual({
      status: 'FATAL',
      counts: [0, 0, 0],
      results: [{ messageId: 0, code: 'Error BAD_REQUEST', description: expect.stringMatching(reason) }],
    })
    expect(report.results[0]?.description).not.toContain('root:')
    expect(await client.readOrder(orderId)).toMatchObject({ status: 'Unshipped' })
  })

  test('a document with predefined entities and CDATA is accepted', async () => {
    const orderId = await client.newOrder()
    const body = `<OrderFulfillment><AmazonOrderID><![CDATA[${orderId}]]></AmazonOrderID><MerchantFulfillmentID>&lt;&amp;&#x41;</MerchantFulfillmentID></OrderFulfillment>`
    expect(await client.ship(body)).toEqual(allGood(1))
  })
})

test.each([
  RETIRED,
  'POST_INVENTORY_AVAILABILITY_DATA',
  'POST_PRODUCT_OVERRIDES_DATA',
  'POST_PRODUCT_PRICING_DATA',
  'POST_PRODUCT_IMAGE_DATA',
  'POST_PRODUCT_RELATIONSHIP_DATA',
  'POST_FLAT_FILE_INVLOADER_DATA',
  'POST_FLAT_FILE_LISTINGS_DATA',
  'POST_FLAT_FILE_PRICEANDQUANTITYONLY_UPDATE_DATA',
])('a feed of the retired type %s is accepted, ends FATAL, and its result names the replacement', async (feedType) => {
  expect(await client.submit(feedType, client.envelope('Product', message(1, '<Product/>')))).toEqual({
    status: 'FATAL',
    counts: [0, 0, 0],
    results: [
      {
        messageId: 0,
        code: 'Error BAD_REQUEST',
        description: expect.stringMatching(`${feedType}.*JSON_LISTINGS_FEED`),
      },
    ],
  })
})
