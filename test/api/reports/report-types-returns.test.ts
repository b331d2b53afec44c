import { beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '../../../src/marketplace/trade/orders.ts'
import type { Return } from '../../../src/marketplace/trade/returns.ts'
import { buildOrder } from '../../support/orders.ts'
import {
  addSeller,
  DE,
  JP,
  parseFlatFile,
  putOperatorData,
  RETURNS,
  RETURNS_FLAT_FILE,
  type ReportsClient,
  US,
} from '../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'
import { childrenOf, outline, parseXml } from '../../support/xml.ts'

const SELLER = 'A3RETURNS'
const OTHER_SELLER = 'A4RETURNS'

let souk: TestSouk
let client: ReportsClient

const order = (number: number, overrides: Partial<Order>) =>
  buildOrder(souk.clock.now(), {
    sellerId: SELLER,
    orderId: `900-0000000-000000${number}`,
    purchasedAt: '2026-05-01T08:30:15.999Z',
    ...overrides,
  })
const item = (orderItemId: string, overrides = {}) => ({
  orderItemId,
  sku: 'SHOE-1',
  asin: 'B0TEST0001',
  title: 'Shoe',
  quantity: 1,
  priceMinor: 5000,
  ...overrides,
})
const returnOf = (rmaId: string, number: number, overrides: Partial<Return>): Return => ({
  sellerId: SELLER,
  rmaId,
  orderId: `900-0000000-000000${number}`,
  requestedAt: '2026-05-12T12:44:17.123Z',
  status: 'Approved',
  items: [{ orderItemId: '1', quantity: 1, reasonCode: 'CR-DEFECTIVE' }],
  ...overrides,
})

beforeAll(async () => {
  souk = await startTestSouk()
  client = await addSeller(souk, SELLER, [US, DE, JP])
  await addSeller(souk, OTHER_SELLER)
  const twoItems = [
    item('1', { title: 'Shoe, left & right', quantity: 3, priceMinor: 8990, taxMinor: 719, shippingPriceMinor: 500 }),
    item('2', { sku: 'BOOT-2', asin: 'B0TEST0002', title: 'Boot', priceMinor: 12950 }),
  ]
  await putOperatorData(souk, {
    orders: [
      order(1, { items: twoItems }),
      order(2, { fulfillmentChannel: 'AFN', items: [item('1')] }),
      order(3, { marketplaceId: DE, currencyCode: 'EUR', items: [item('1')] }),
      order(4, { marketplaceId: JP, currencyCode: 'JPY', items: [item('1', { taxMinor: 400 })] }),
      // The other seller has the same ids.
      order(1, { sellerId: OTHER_SELLER, items: [item('1', { title: 'Not yours' }), item('2', { priceMinor: 99 })] }),
    ],
    returns: [
      returnOf('R-WHOLE', 1, {
        merchantRmaId: 'MY-7',
        isPrime: true,
        aToZClaim: true,
        returnType: 'B-Returns',
        label: { type: 'AmazonPrePaidLabel', costMinor: 795, carrier: 'UPS', trackingId: '1Z7', paidBy: 'Seller' },
        invoiceNumber: 'RE-1',
        deliveredAt: '2026-05-20T10:00:00.000Z',
        items: [
          {
            orderItemId: '1',
            quantity: 2,
            reasonCode: 'AMZ-PG-APP-TOO-SMALL',
            inPolicy: false,
            resolution: 'Exchange',
            category: 'Apparel',
            refundMinor: 8990,
          },
          { orderItemId: '2', quantity: 1, reasonCode: 'CR-UNWANTED_ITEM', category: 'Boots', refundMinor: 1 },
        ],
      }),
      returnOf('R-SHORT', 1, { requestedAt: '2026-05-13T00:00:00.000Z', status: 'Pending' }),
      returnOf('R-AFN', 2, {}),
      returnOf('R-GERMAN', 3, {}),
      returnOf('R-JAPANESE', 4, {
        label: { costMinor: 300 },
        items: [{ orderItemId: '1', quantity: 1, reasonCode: 'CR-DEFECTIVE', refundMinor: 1200 }],
      }),
      returnOf('R-WHOLE', 1, { sellerId: OTHER_SELLER, status: 'Rejected' }),
      returnOf('R-THEIRS', 1, { sellerId: OTHER_SELLER }),
    ],
  })
})

describe(RETURNS, () => {
  test('is an envelope with the returns of merchant-fulfilled orders and their items, in chronological order', async () => {
    const text = await client.text({ reportType: RETURNS })
    const envelope = parseXml(text)
    expect(envelope.attributes).toEqual({
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xsi:noNamespaceSchemaLocation': 'amzn-envelope.xsd',
    })
    expect(outline(envelope)).toEqual([
      'AmazonEnvelope',
      [
        ['Header', [['DocumentVersion', '1.00']]],
        ['MessageType', 'Returns-Report'],
        [
          'Message',
          [
            [
              'return_details',
              [
                [
                  'item_details',
                  [
                    ['item_name', 'Shoe, left & right'],
                    ['asin', 'B0TEST0001'],
                    ['return_reason_code', 'AMZ-PG-APP-TOO-SMALL'],
                    ['merchant_sku', 'SHOE-1'],
                    ['in_policy', 'N'],
                    ['return_quantity', '2'],
                    ['resolution', 'Exchange'],
                    ['category', 'Apparel'],
                    ['refund_amount', '89.90'],
                  ],
                ],
                [
                  'item_details',
                  [
                    ['item_name', 'Boot'],
                    ['asin', 'B0TEST0002'],
                    ['return_reason_code', 'CR-UNWANTED_ITEM'],
                    ['merchant_sku', 'BOOT-2'],
                    ['in_policy', 'Y'],
                    ['return_quantity', '1'],
                    ['resolution', 'StandardRefund'],
                    ['category', 'Boots'],
                    ['refund_amount', '0.01'],
                  ],
                ],
                ['order_id', '900-0000000-0000001'],
                ['order_date', '2026-05-01T08:30:15Z'],
                ['amazon_rma_id', 'R-WHOLE'],
                ['merchant_rma_id', 'MY-7'],
                ['return_request_date', '2026-05-12T12:44:17Z'],
                ['return_request_status', 'Approved'],
                ['a_to_z_claim', 'true'],
                ['is_prime', 'Y'],
                [
                  'label_details',
                  [
                    ['tracking_id', '1Z7'],
                    ['return_carrier', 'UPS'],
                    ['currency_code', 'USD'],
                    ['label_cost', '7.95'],
                    ['label_type', 'AmazonPrePaidLabel'],
                  ],
                ],
                ['label_to_be_paid_by', 'Seller'],
                ['return_type', 'B-Returns'],
                ['order_amount', '231.59'],
                ['order_quantity', '4'],
                ['invoice_number', 'RE-1'],
                ['return_delivery_date', '2026-05-20T10:00:00Z'],
              ],
            ],
            [
              'return_details',
              [
                [
                  'item_details',
                  [
                    ['item_name', 'Shoe, left & right'],
                    ['asin', 'B0TEST0001'],
                    ['return_reason_code', 'CR-DEFECTIVE'],
                    ['merchant_sku', 'SHOE-1'],
                    ['in_policy', 'Y'],
                    ['return_quantity', '1'],
                    ['resolution', 'StandardRefund'],
                    ['category', ''],
                    ['refund_amount', '0.00'],
                  ],
                ],
                ['order_id', '900-0000000-0000001'],
                ['order_date', '2026-05-01T08:30:15Z'],
                ['amazon_rma_id', 'R-SHORT'],
                ['return_request_date', '2026-05-13T00:00:00Z'],
                ['return_request_status', 'Pending'],
                ['a_to_z_claim', 'false'],
                ['is_prime', 'N'],
                [
                  'label_details',
                  [
                    ['currency_code', 'USD'],
                    ['label_cost', '0.00'],
                    ['label_type', 'AmazonUnPaidLabel'],
                  ],
                ],
                ['label_to_be_paid_by', 'Customer'],
                ['return_type', 'C-Returns'],
                ['order_amount', '231.59'],
                ['order_quantity', '4'],
              ],
            ],
          ],
        ],
      ],
    ])
  })

  test('contains only the requested marketplaces', async () => {
    const rmaIds = async (marketplaceIds: string[]) => {
      const [message] = childrenOf(parseXml(await client.text({ reportType: RETURNS, marketplaceIds })), 'Message')
      return childrenOf(message, 'return_details').map((one) => childrenOf(one, 'amazon_rma_id')[0]?.text)
    }
    expect(await rmaIds([DE])).toEqual(['R-GERMAN'])
    expect((await rmaIds([DE, US, JP])).sort()).toEqual(['R-GERMAN', 'R-JAPANESE', 'R-SHORT', 'R-WHOLE'])
  })

  test('writes amounts with the decimals of their currency: yen have none', async () => {
    const text = await client.text({ reportType: RETURNS, marketplaceIds: [JP] })
    expect(text).toContain('<refund_amount>1200</refund_amount>')
    expect(text).toContain('<label_cost>300</label_cost>')
    expect(text).toContain('<order_amount>5400</order_amount>')
  })
})

describe(RETURNS_FLAT_FILE, () => {
  test('has a header line and one line per returned item', async () => {
    const [headings, ...rows] = parseFlatFile(await client.text({ reportType: RETURNS_FLAT_FILE }))
    expect(headings?.join(', ')).toBe(
      'Order ID, Order date, Return request date, Return request status, Amazon RMA ID, Merchant RMA ID, Label type, ' +
        'Label cost, Currency code, Return carrier, Tracking ID, Label to be paid by, A-to-Z Claim, Is prime, ASIN, ' +
        'Merchant SKU, Item Name, Return quantity, Return Reason, In policy, Return type, Resolution, Invoice number, ' +
        'Return delivery date, Order Amount, Order quantity, SafeT Action reason, SafeT claim id, SafeT claim state, ' +
        'SafeT claim creation time, SafeT claim reimbursement amount, Refunded Amount',
    )
    expect(rows.map((row) => row.join('|'))).toEqual([
      '900-0000000-0000001|2026-05-01T08:30:15Z|2026-05-12T12:44:17Z|Approved|R-WHOLE|MY-7|AmazonPrePaidLabel|7.95|USD|UPS|1Z7|Seller|Y|Y|B0TEST0001|SHOE-1|Shoe, left & right|2|AMZ-PG-APP-TOO-SMALL|N|B-Returns|Exchange|RE-1|2026-05-20T10:00:00Z|231.59|4||||||89.90',
      '900-0000000-0000001|2026-05-01T08:30:15Z|2026-05-12T12:44:17Z|Approved|R-WHOLE|MY-7|AmazonPrePaidLabel|7.95|USD|UPS|1Z7|Seller|Y|Y|B0TEST0002|BOOT-2|Boot|1|CR-UNWANTED_ITEM|Y|B-Returns|StandardRefund|RE-1|2026-05-20T10:00:00Z|231.59|4||||||0.01',
      '900-0000000-0000001|2026-05-01T08:30:15Z|2026-05-13T00:00:00Z|Pending|R-SHORT||AmazonUnPaidLabel|0.00|USD|||Customer|N|N|B0TEST0001|SHOE-1|Shoe, left & right|1|CR-DEFECTIVE|Y|C-Returns|StandardRefund|||231.59|4||||||0.00',
    ])
  })

  test('contains only the requested marketplaces, with the decimals of their currency', async () => {
    const [headings = [], ...rows] = parseFlatFile(
      await client.text({ reportType: RETURNS_FLAT_FILE, marketplaceIds: [JP] }),
    )
    const shown = rows.map((row) =>
      ['Amazon RMA ID', 'Currency code', 'Label cost', 'Order Amount', 'Refunded Amount'].map(
        (name) => row[headings.indexOf(name)],
      ),
    )
    expect(shown).toEqual([['R-JAPANESE', 'JPY', '300', '5400', '1200']])
  })
})
